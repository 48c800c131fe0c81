# Before it has taken a gigabyte, g++ need not look for memory to free: a tenth of the time for a sixth more memory.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)

# ridgelet_stage(NAME [USES library...]) declares one stage of the flow: include/ridgelet/NAME, src/NAME and the
# target ridgelet::NAME. Stages are declared in flow order and each links to the one before it, so a stage can
# use every earlier one and no later one.
set(RIDGELET_STAGES "")

function(ridgelet_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 stage "" "" "USES")
  set(target ridgelet_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(${target} STATIC ${sources})
  add_library(ridgelet::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
                                             CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  ridgelet_warnings(${target})
  if(RIDGELET_STAGES)
    list(GET RIDGELET_STAGES -1 previous)
    target_link_libraries(${target} PUBLIC ridgelet_${previous})
  endif()
  target_link_libraries(${target} PUBLIC ${stage_USES})
  if(RIDGELET_STAGES)
    target_precompile_headers(${target} REUSE_FROM ridgelet_core)
  else()
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
  endif()
  set(RIDGELET_STAGES ${RIDGELET_STAGES} ${name} PARENT_SCOPE)
endfunction()

# Code around the library: arguments, tables, pictures and tests. What takes time is in the library, so this is
# compiled quickly instead of optimised in full.
function(ridgelet_compile_quickly target)
  # At -O1, g++ 12 believes that parts of Eigen are uninitialised.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# -Wno-restrict and the two after it: g++ 12 warns of overlaps and sizes that cannot happen when std::string is
# concatenated (GCC bug 105651).
function(ridgelet_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
                                           $<$<BOOL:${RIDGELET_WERROR}>:-Werror>)
endfunction()

# Sources that are compiled `batch` at a time, which shares the templates of Eigen among them. Names in anonymous
# namespaces must then differ within a stage; a local name may hide a constant of another file.
function(ridgelet_compile_together target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local)
endfunction()
