// Takes back what an encoder does to the scheduling of threads.
//
// SVT-AV1 (1.4), where it runs as root, makes the thread that opens it and all of its own real-time threads of the highest priority (`SCHED_FIFO`, 99):
// everything else on the machine waits for them, and programs that the thread starts are such, too.
#include "writer.h"

#if ETALON_HAS_FFMPEG
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>

// Calls a function with each thread of the process.
static void each_thread(void (*call)(EtalonScheduling *, pid_t), EtalonScheduling *scheduling) {
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    if (thread > 0) call(scheduling, thread);
  }
  closedir(folder);
}

static void note(EtalonScheduling *scheduling, pid_t thread) {
  if (scheduling->count == scheduling->room) {
    int room = scheduling->room ? 2 * scheduling->room : 64;
    pid_t *grown = realloc(scheduling->threads, (size_t)room * sizeof *grown);
    if (grown == NULL) return;
    scheduling->threads = grown;
    scheduling->room = room;
  }
  scheduling->threads[scheduling->count++] = thread;
}

// Threads that were there before are other people's.
static void restore(EtalonScheduling *scheduling, pid_t thread) {
  for (int index = 0; index < scheduling->count; index++) {
    if (scheduling->threads[index] == thread) return;
  }
  struct sched_param found;
  if (sched_getscheduler(thread) != SCHED_FIFO || sched_getparam(thread, &found) != 0 || found.sched_priority != 99) return;
  sched_setscheduler(thread, scheduling->policy, &scheduling->parameters);
}

void etalon_scheduling_begin(EtalonScheduling *scheduling) {
  *scheduling = (EtalonScheduling){0};
  pthread_getschedparam(pthread_self(), &scheduling->policy, &scheduling->parameters);
  each_thread(note, scheduling);
}

void etalon_scheduling_end(EtalonScheduling *scheduling) {
  pthread_setschedparam(pthread_self(), scheduling->policy, &scheduling->parameters);
  each_thread(restore, scheduling);
  free(scheduling->threads);
}

#endif
