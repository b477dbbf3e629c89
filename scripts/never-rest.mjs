/** Keeps one processor busy, and ends with the program that started it in any case. */
const parent = process.ppid;
while (process.ppid === parent);
