/**
 * A disk on which each sync takes longer, for a server that is started with the answered settings: a small library in C,
 * put before the system's own functions. Needs a C compiler and Linux.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = (ms: number) => `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int later(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep(${String(ms * 1000)});
  return sync(file);
}
int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
`;

/** Writes the library into `folder`. */
export function slowDisk(folder: string, ms: number): Record<string, string> {
  const [code, library] = [join(folder, 'slow-disk.c'), join(folder, 'slow-disk.so')];
  writeFileSync(code, source(ms));
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, code, '-ldl']);
  return { LD_PRELOAD: library };
}
