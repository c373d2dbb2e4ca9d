# fmt, pugixml, qhull and zlib as static libraries that may go into a shared object, for TORSOR_SELF_CONTAINED. Each is made
# from what Debian's packages have; where a system packages a library differently, the shared one is linked as usual and
# auditwheel copies it into the wheel. docs/decisions/0017-what-a-wheel-holds.md says why it is done so.

# torsor_replace(<imported target> <target>): torsor_library() links the second where a folder names the first.
function(torsor_replace imported target)
  set_property(GLOBAL PROPERTY TORSOR_REPLACES_${imported} ${target})
endfunction()

# fmt: Debian has the shared library and the headers. One file compiles the definitions out of the headers.
get_target_property(type fmt::fmt TYPE)
if(type STREQUAL "SHARED_LIBRARY")
  add_library(torsor_fmt STATIC cmake/self_contained/fmt.cpp)
  target_compile_options(torsor_fmt PRIVATE -fno-inline -fkeep-inline-functions)
  target_compile_definitions(torsor_fmt INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_include_directories(torsor_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(torsor_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
  torsor_replace(fmt::fmt torsor_fmt)
endif()

# pugixml: the static library of the package serves.
if(TARGET pugixml::static)
  torsor_replace(pugixml::pugixml pugixml::static)
endif()

# qhull: its static library is compiled for programs. All that keeps it out of a shared object is that it reads the
# addresses of stdin, stdout and stderr directly; under other names these are variables of ours.
if(TARGET Qhull::qhullstatic_r AND CMAKE_OBJCOPY)
  set(archive ${PROJECT_BINARY_DIR}/libqhull_renamed.a)
  add_custom_command(OUTPUT ${archive} DEPENDS $<TARGET_FILE:Qhull::qhullstatic_r> VERBATIM
                     COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=torsor_stdin --redefine-sym stdout=torsor_stdout
                             --redefine-sym stderr=torsor_stderr $<TARGET_FILE:Qhull::qhullstatic_r> ${archive})
  add_custom_target(torsor_qhull_archive DEPENDS ${archive})
  add_library(torsor_qhull STATIC cmake/self_contained/standard_streams.cpp)
  add_dependencies(torsor_qhull torsor_qhull_archive)
  target_include_directories(torsor_qhull SYSTEM
                             INTERFACE $<TARGET_PROPERTY:Qhull::qhullstatic_r,INTERFACE_INCLUDE_DIRECTORIES>)
  # once more after the archive, which is what needs it
  target_link_libraries(torsor_qhull INTERFACE ${archive} $<TARGET_FILE:torsor_qhull>)
  set_target_properties(torsor_qhull PROPERTIES POSITION_INDEPENDENT_CODE ON)
  torsor_replace(Qhull::qhull_r torsor_qhull)
endif()

# zlib: the static library of the package is linked as it is. The linker hides the symbols of archives in the Python module,
# which is what makes code that was compiled for programs fit into a shared object.
find_library(TORSOR_ZLIB_ARCHIVE libz.a)
if(TORSOR_ZLIB_ARCHIVE)
  add_library(torsor_zlib INTERFACE)
  target_include_directories(torsor_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE_DIRS})
  target_link_libraries(torsor_zlib INTERFACE ${TORSOR_ZLIB_ARCHIVE})
  torsor_replace(ZLIB::ZLIB torsor_zlib)
endif()
