// A disk as a program sees it, put before the functions of the C library (LD_PRELOAD): syncs that take longer or fail,
// writes that fail, and a record of everything that is written under one folder.
//
// DISK_CONTROL names a file of three 32-bit numbers that may change at any time: milliseconds that each sync takes
// longer; the errno of each sync, 0 for none; the errno of each write.
// DISK_FOLDER and DISK_RECORD: what is written under the folder is appended to the record, in order.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static volatile int32_t *control = NULL;
static const char *folder = NULL;
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t lastSync = 0;

static ssize_t (*nextWrite)(int, const void *, size_t);
static ssize_t (*nextPwrite)(int, const void *, size_t, off64_t);
static int (*nextTruncate)(int, off64_t);
static int (*nextFsync)(int);
static int (*nextFdatasync)(int);
static int (*nextRename)(const char *, const char *);
static int (*nextMkdir)(const char *, mode_t);

__attribute__((constructor)) static void begin(void) {
  nextWrite = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  nextPwrite = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  nextTruncate = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
  nextFsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  nextFdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  nextRename = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  nextMkdir = (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
  const char *path = getenv("DISK_CONTROL");
  if (path) {
    int file = open(path, O_RDONLY);
    if (file >= 0) control = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (control == MAP_FAILED) control = NULL;
  }
  folder = getenv("DISK_FOLDER");
  path = getenv("DISK_RECORD");
  if (folder && path) record = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
}

// The path below the folder; NULL for every other file.
static const char *within(int file, char *buffer, size_t size) {
  if (record < 0) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length <= 0) return NULL;
  buffer[length] = 0;
  size_t own = strlen(folder);
  if (strncmp(buffer, folder, own) != 0) return NULL;
  return buffer[own] == '/' ? buffer + own + 1 : buffer[own] == 0 ? "." : NULL;
}

// One line of text, then `length` bytes.
static void note(char what, uint32_t sync, long long offset, size_t length, const char *path, const void *bytes) {
  char line[512];
  int count = snprintf(line, sizeof line, "%c %u %lld %zu %s\n", what, sync, offset, length, path);
  nextWrite(record, line, count);
  if (bytes) nextWrite(record, bytes, length);
}

static void hold(void) {
  pthread_mutex_lock(&lock);
  flock(record, LOCK_EX);
}

static void release(void) {
  flock(record, LOCK_UN);
  pthread_mutex_unlock(&lock);
}

static int failsWith(int at, int file) {
  if (!control || control[at] == 0 || file <= 2) return 0;
  errno = control[at];
  return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  char buffer[512];
  if (failsWith(2, file)) return -1;
  const char *path = within(file, buffer, sizeof buffer);
  if (!path) return nextPwrite(file, bytes, length, offset);
  hold();
  ssize_t written = nextPwrite(file, bytes, length, offset);
  if (written > 0) note('w', 0, offset, written, path, bytes);
  release();
  return written;
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return pwrite64(file, bytes, length, offset); }

ssize_t write(int file, const void *bytes, size_t length) {
  char buffer[512];
  const char *path = within(file, buffer, sizeof buffer);
  if (!path) return nextWrite(file, bytes, length);
  hold();
  ssize_t written = nextWrite(file, bytes, length);
  if (written > 0) note('w', 0, lseek64(file, 0, SEEK_CUR) - written, written, path, bytes);
  release();
  return written;
}

int ftruncate64(int file, off64_t length) {
  char buffer[512];
  const char *path = within(file, buffer, sizeof buffer);
  if (!path) return nextTruncate(file, length);
  hold();
  int result = nextTruncate(file, length);
  if (result == 0) note('t', 0, length, 0, path, NULL);
  release();
  return result;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

// The part of a path below the folder; NULL for every other path.
static const char *below(const char *path) {
  if (record < 0) return NULL;
  size_t own = strlen(folder);
  return strncmp(path, folder, own) == 0 && path[own] == '/' ? path + own + 1 : NULL;
}

// The bytes of the note are the new name.
int rename(const char *from, const char *to) {
  const char *path = below(from), *named = below(to);
  if (!path || !named) return nextRename(from, to);
  hold();
  int result = nextRename(from, to);
  if (result == 0) note('n', 0, 0, strlen(named), path, named);
  release();
  return result;
}

int mkdir(const char *made, mode_t mode) {
  const char *path = below(made);
  if (!path) return nextMkdir(made, mode);
  hold();
  int result = nextMkdir(made, mode);
  if (result == 0) note('m', 0, 0, 0, path, NULL);
  release();
  return result;
}

// As Linux does it: a file that could not be written fails the next sync of each of its descriptors, once.
static struct { dev_t device; ino_t number; uint32_t failures; } failed[64];
static struct { int at; uint32_t failures; } seenBy[1024];

static int at(int file) {
  struct stat found;
  if (file < 0 || file >= 1024 || fstat(file, &found) != 0) return -1;
  for (int n = 0; n < 64; n += 1) {
    if (failed[n].number == 0) {
      failed[n].device = found.st_dev;
      failed[n].number = found.st_ino;
    }
    if (failed[n].number == found.st_ino && failed[n].device == found.st_dev) return n;
  }
  return -1;
}

// Whether this sync fails: it is to fail now, or one before it has.
static int syncFails(int file) {
  int failsNow = failsWith(1, file);
  pthread_mutex_lock(&lock);
  int n = at(file);
  int isOwed = 0;
  if (n >= 0) {
    if (seenBy[file].at != n + 1) {
      seenBy[file].at = n + 1;
      seenBy[file].failures = failed[n].failures;
    }
    if (failsNow) failed[n].failures += 1;
    isOwed = seenBy[file].failures < failed[n].failures;
    seenBy[file].failures = failed[n].failures;
  }
  pthread_mutex_unlock(&lock);
  if (isOwed && !failsNow) errno = EIO;
  return failsNow ? 1 : isOwed ? 2 : 0;
}

static int sync_(int (*next)(int), int file) {
  char buffer[512];
  const char *path = within(file, buffer, sizeof buffer);
  uint32_t id = 0;
  if (path) {
    hold();
    id = (uint32_t)getpid() * 100000u + ++lastSync;
    note('b', id, 0, 0, path, NULL);
    release();
  }
  if (control && control[0] > 0) usleep(control[0] * 1000);
  int fails = syncFails(file), reason = errno;
  // What could not be written is dropped: a later sync does not write it.
  int result = fails == 1 ? -1 : next(file);
  if (path && (fails == 1 || result == 0)) {
    hold();
    note(fails == 1 ? 'f' : 'e', id, 0, 0, path, NULL);
    release();
  }
  if (fails) errno = reason;
  return fails ? -1 : result;
}
int fsync(int file) { return sync_(nextFsync, file); }
int fdatasync(int file) { return sync_(nextFdatasync, file); }
