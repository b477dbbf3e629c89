/**
 * Checks that parsed JSON has a shape that our messages can have: few levels, few keys, no prototype names, no NUL
 * (which PostgreSQL can't store). Walks without recursion, so that no nesting can exhaust the stack.
 */
const maxDepth = 8;
const maxValues = 20_000;
const maxKeys = 64;
const poison = new Set(['__proto__', 'constructor', 'prototype']);

export function isWithinJsonLimits(value: unknown): boolean {
  let seen = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    seen += 1;
    if (seen > maxValues) return false;
    if (typeof next.value === 'string' && next.value.includes('\0')) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= maxDepth) return false;
    if (!Array.isArray(next.value)) {
      const keys = Object.keys(next.value);
      if (keys.length > maxKeys || keys.some((key) => poison.has(key))) return false;
    }
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}
