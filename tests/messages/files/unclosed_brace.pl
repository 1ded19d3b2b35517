greeting --> "hello", { print(hello).
name --> "x".
