/* A stand-in for NVIDIA's libnvidia-ml.so.1, written from the published signatures (nvml.h, v13).
 *
 * It proves which calls jobrun makes, in which order and with which structures, and what jobrun
 * does with each answer. It does not prove how NVIDIA's driver behaves: no real GPU is behind it.
 *
 * Build:  cc -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 -o libnvidia-ml.so.1 stub_nvml.c
 * Use:    JOBRUN_NVML=$PWD/libnvidia-ml.so.1 STUB_NVML=two jobrun resources
 *
 * STUB_NVML is a comma-separated list; `@FILE` reads the list from a file at every nvmlInit_v2, so
 * that a test can change the machine under a running runner:
 *   two              two idle GPUs of 8 GiB (also the default)
 *   gpus=N           N GPUs (0 to 8)
 *   total=BYTES      memory of each GPU
 *   free=BYTES       free memory of each GPU
 *   foreign[=I]      GPU I (default 1) runs a compute process of another user
 *   pid=P            that process's id (default 4242)
 *   processes=N      that many such processes (ids P, P+1, ...)
 *   hang             nvmlInit_v2 never returns
 *   hang=I           asking GPU I for its memory never returns
 *   init=CODE        nvmlInit_v2 fails with CODE (9 driver not loaded, 18 mismatch, ...)
 *   lost[=I]         GPU I (default 1) answers 15 (lost) to everything but its handle
 *   mig[=I]          GPU I (default 1) is split by MIG
 *   energy=MJ        each GPU has used so many millijoules (without it, that is not supported)
 *   noutilisation    utilisation is not supported (3)
 *   noprocesses      the process list is not permitted (4)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES 8

typedef int nvmlReturn_t;
typedef struct stub_device *nvmlDevice_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

struct stub_device { unsigned int index; };

static struct stub_device devices[DEVICES];
static char settings[1024];
static int initialised;

static void read_settings(void) {
  const char *value = getenv("STUB_NVML");
  if (!value) value = "two";
  if (value[0] != '@') {
    snprintf(settings, sizeof settings, "%s", value);
    return;
  }
  settings[0] = 0;
  FILE *file = fopen(value + 1, "r");
  if (!file) return;
  size_t length = fread(settings, 1, sizeof settings - 1, file);
  settings[length] = 0;
  settings[strcspn(settings, "\n")] = 0;
  fclose(file);
}

/* 1 if `name` or `name=NUMBER` is in the list; the number, or `otherwise`, goes to `number`. */
static int setting(const char *name, unsigned long long otherwise, unsigned long long *number) {
  size_t length = strlen(name);
  for (const char *at = settings; at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, length) != 0) continue;
    char end = at[length];
    if (end != 0 && end != ',' && end != '=') continue;
    if (number) *number = end == '=' ? strtoull(at + length + 1, NULL, 10) : otherwise;
    return 1;
  }
  if (number) *number = otherwise;
  return 0;
}

static unsigned long long number_of(const char *name, unsigned long long otherwise) {
  unsigned long long number;
  setting(name, otherwise, &number);
  return number;
}

static int names_device(const char *name, nvmlDevice_t device) {
  unsigned long long index;
  return setting(name, 1, &index) && index == device->index;
}

/* What every per-device call answers before it does anything: 0 to go on. */
static nvmlReturn_t refusal(nvmlDevice_t device) {
  if (!initialised) return 1;
  if (!device) return 2;
  return names_device("lost", device) ? 15 : 0;
}

nvmlReturn_t nvmlInit_v2(void) {
  unsigned long long value;
  read_settings();
  if (setting("hang", 1000, &value) && value == 1000)
    for (;;) pause();
  if (setting("init", 999, &value)) return (nvmlReturn_t)value;
  initialised = 1;
  return 0;
}

nvmlReturn_t nvmlShutdown(void) {
  initialised = 0;
  return 0;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
  if (!initialised) return 1;
  unsigned long long number = number_of("gpus", 2);
  *count = number > DEVICES ? DEVICES : (unsigned int)number;
  return 0;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  if (!initialised) return 1;
  if (index >= DEVICES) return 2;
  devices[index].index = index;
  *device = &devices[index];
  return 0;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  return snprintf(name, length, "Stub GPU %u", device->index) < (int)length ? 0 : 7;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  int written = snprintf(uuid, length, "GPU-00000000-0000-0000-0000-%012u", device->index);
  return written < (int)length ? 0 : 7;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  unsigned long long hangs;
  if (setting("hang", 1000, &hangs) && hangs == device->index)
    for (;;) pause();
  memory->total = number_of("total", 8ULL << 30);
  memory->free = number_of("free", memory->total - (512ULL << 20));
  memory->used = memory->total - memory->free;
  return 0;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  if (setting("noutilisation", 0, NULL)) return 3;
  rates->gpu = names_device("foreign", device) ? 97 : 0;
  rates->memory = 0;
  return 0;
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(
    nvmlDevice_t device, unsigned long long *millijoules) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  return setting("energy", 0, millijoules) ? 0 : 3;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
    nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *list) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  if (setting("noprocesses", 0, NULL)) return 4;
  unsigned int room = *count;
  *count = names_device("foreign", device) ? (unsigned int)number_of("processes", 1) : 0;
  if (*count > room) return 7;
  for (unsigned int i = 0; i < *count; i++) {
    list[i].pid = (unsigned int)number_of("pid", 4242) + i;
    list[i].usedGpuMemory = 1ULL << 30;
    list[i].gpuInstanceId = list[i].computeInstanceId = 0xFFFFFFFF;
  }
  return 0;
}

nvmlReturn_t nvmlDeviceGetMigMode(
    nvmlDevice_t device, unsigned int *current, unsigned int *pending) {
  nvmlReturn_t refused = refusal(device);
  if (refused) return refused;
  *current = *pending = names_device("mig", device) ? 1 : 0;
  return 0;
}
