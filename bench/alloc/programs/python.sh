# Threads, subprocesses, growing containers, text, and the garbage collector of Python.
# needs: python3
python3 - <<'PY'
import gc, json, re, subprocess, sys, threading, zlib
results = [0] * 8
def work(t):
    table = {}
    for i in range(40000):
        table[str(i * 31 % 5003)] = [i] * (i % 17)
        if i % 3 == 0:
            table.pop(str(i % 5003), None)
    text = json.dumps(table, sort_keys=True)
    results[t] = (len(text), zlib.crc32(text.encode()))
threads = [threading.Thread(target=work, args=(t,)) for t in range(8)]
for t in threads: t.start()
for i in range(20):
    out = subprocess.run([sys.executable, "-c", f"print(sum(range({i}, 10000)))"], capture_output=True, text=True)
    print(out.stdout.strip(), out.returncode)
for t in threads: t.join()
print(set(results))
for i in range(2000):
    threading.Thread(target=lambda: bytearray(5000)).start()
class N: pass
for i in range(50000):
    a, b = N(), N(); a.x, b.x = b, a
print(gc.collect() >= 0)
big = bytearray()
for i in range(3000): big += bytes(i)
print(len(big), len(re.findall(r"\d+", " ".join(map(str, range(50000))))))
try:
    bytearray(1 << 60)
except MemoryError:
    print("MemoryError")
print("python done")
PY
