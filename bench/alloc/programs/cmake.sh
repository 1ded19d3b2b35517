# cmake configures and builds a small project.
# needs: cmake gcc make
mkdir src && cd src || exit 1
cat > CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.10)
project(p C)
include(CheckFunctionExists)
check_function_exists(reallocarray HAVE_REALLOCARRAY)
foreach(i RANGE 1 8)
  file(WRITE ${CMAKE_BINARY_DIR}/f${i}.c "int f${i}(void) { return ${i}; }\n")
  list(APPEND sources ${CMAKE_BINARY_DIR}/f${i}.c)
endforeach()
string(REPEAT "x" 100000 text)
string(LENGTH "${text}" n)
message(STATUS "length ${n} ${HAVE_REALLOCARRAY}")
add_library(f STATIC ${sources})
add_executable(p main.c)
target_link_libraries(p f)
CM
echo 'int f1(void); int f8(void); int main(void) { return f1() + f8() - 9; }' > main.c
cmake -S . -B build > log 2>&1 && grep length log && make -C build -j2 > log2 2>&1 && build/p && echo "cmake done"
