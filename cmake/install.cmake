# find_package(ridgelet) from another project: link to ridgelet::ridgelet, or to one stage, which brings what comes
# before it.
include(CMakePackageConfigHelpers)

foreach(stage ${RIDGELET_STAGES})
  list(APPEND stage_targets ridgelet_${stage})
endforeach()
install(TARGETS ${stage_targets} ridgelet EXPORT ridgelet-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ridgelet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ridgelet-targets NAMESPACE ridgelet::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ridgelet)

set(config_file ${PROJECT_BINARY_DIR}/ridgelet-config.cmake)
file(WRITE ${config_file} "include(CMakeFindDependencyMacro)\n")
foreach(dependency ${RIDGELET_DEPENDENCIES})
  file(APPEND ${config_file} "find_dependency(${dependency})\n")
endforeach()
file(APPEND ${config_file} "include(\${CMAKE_CURRENT_LIST_DIR}/ridgelet-targets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ridgelet-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${config_file} ${PROJECT_BINARY_DIR}/ridgelet-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ridgelet)
if(RIDGELET_APP)
  install(TARGETS ridgelet_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES docs/ridgelet.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES apps/ridgelet/completion.bash RENAME ridgelet
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
