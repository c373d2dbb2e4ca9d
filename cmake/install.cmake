# cmake --install: the public headers, libraries, the program, and the package that find_package(torsor) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY TORSOR_FOLDERS)
foreach(part IN LISTS folders ITEMS flags stb cuda)
  set_target_properties(torsor_${part} PROPERTIES EXPORT_NAME ${part})
  install(TARGETS torsor_${part} EXPORT torsor_targets)
endforeach()
target_include_directories(torsor_flags INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS torsor EXPORT torsor_targets)
install(CODE "set(source_dir \"${PROJECT_SOURCE_DIR}\")\nset(include_dir \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_headers.cmake)
if(TARGET torsor_cli)
  install(TARGETS torsor_cli)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/torsor)
install(EXPORT torsor_targets NAMESPACE torsor:: DESTINATION ${package_folder})
configure_package_config_file(cmake/torsor-config.cmake.in torsor-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(torsor-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/torsor-config.cmake ${PROJECT_BINARY_DIR}/torsor-config-version.cmake
        DESTINATION ${package_folder})
