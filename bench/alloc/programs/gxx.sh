# The C++ compiler, and all forms of new and delete.
# needs: g++
cat > a.cc <<'CC'
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
struct alignas(256) Wide { char c[300]; };
struct Small { int x[3]; virtual ~Small() {} };
static int handled = 0;
static void handler() { if (++handled == 3) std::set_new_handler(nullptr); }
int main() {
    std::vector<std::thread> ts; std::vector<size_t> sums(4);
    for (int t = 0; t < 4; t++) ts.emplace_back([&, t] {
        std::unordered_map<std::string, std::vector<int>> m;
        for (int i = 0; i < 30000; i++) m["key number " + std::to_string(i % 997)].push_back(i);
        for (auto &e : m) sums[t] += e.first.size() + e.second.size();
    });
    for (auto &t : ts) t.join();
    std::printf("%zu %zu\n", sums[0], sums[3]);
    for (int i = 0; i < 100; i++) {
        std::unique_ptr<Wide> w(new Wide);
        if (reinterpret_cast<uintptr_t>(w.get()) % 256) return 1;
        std::unique_ptr<Wide[]> ws(new Wide[i + 1]);
        if (reinterpret_cast<uintptr_t>(ws.get()) % 256) return 2;
        std::unique_ptr<Small[]> s(new Small[i + 1]);
        auto sp = std::make_shared<std::function<int()>>([i] { return i; });
        if ((*sp)() != i) return 3;
    }
    void *p = operator new(100); operator delete(p, size_t(100));
    p = operator new[](100, std::nothrow); operator delete[](p, std::nothrow);
    p = operator new(100, std::align_val_t(128)); operator delete(p, size_t(100), std::align_val_t(128));
    p = operator new(0); if (!p) return 4; operator delete(p);
    volatile size_t huge = SIZE_MAX / 2;
    if (operator new(huge, std::nothrow)) return 5;
    try { p = operator new(huge); return 6; } catch (const std::bad_alloc &) { std::puts("bad_alloc"); }
    std::set_new_handler(handler);
    try { p = operator new[](huge); return 7; } catch (const std::bad_alloc &) { std::printf("handler %d\n", handled); }
    std::map<int, std::string> m;
    for (int i = 0; i < 50000; i++) m[i * 7919 % 100003] = std::string(i % 50, 'x');
    size_t n = 0; for (auto &e : m) n += e.second.size();
    std::printf("%zu\nc++ done\n", n);
}
CC
g++ -O1 -std=c++17 -o a a.cc -pthread && ./a
