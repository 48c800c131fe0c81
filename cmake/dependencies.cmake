# What the library itself links to. The installed package finds the same list again (install.cmake), so a
# library added here reaches the users of find_package(ridgelet) as well.
set(RIDGELET_DEPENDENCIES Eigen3 OpenBLAS Threads hwy fmt muparser Boost tomlplusplus netCDF)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(OpenBLAS REQUIRED)
find_package(Threads REQUIRED)
find_package(hwy REQUIRED)
find_package(fmt REQUIRED)
find_package(muparser REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(netCDF REQUIRED)
