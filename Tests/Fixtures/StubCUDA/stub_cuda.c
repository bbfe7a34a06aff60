/* A stand-in for NVIDIA's libcuda.so.1, written from the published signatures (cuda.h), whose
 * device memory is memory of the process.
 *
 * It proves the calls that gpu-check makes and that a wrong word is found. It does not prove how
 * NVIDIA's driver or a GPU's memory behaves: no real GPU is behind it.
 *
 * Build:  cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o libcuda.so.1 stub_cuda.c
 *         (-DSTUB_CUDA_DEFAULT='"..."' sets what holds when STUB_CUDA is not set)
 * Use:    JOBRUN_CUDA=$PWD/libcuda.so.1 STUB_CUDA=memory=67108864 gpu-check
 *
 * STUB_CUDA is a comma-separated list:
 *   gpus=N           N devices (default 1)
 *   memory=BYTES     the device's memory (default 64 MiB)
 *   corrupt=OFFSET   flips one bit of the byte at that offset of the first allocation, whenever it
 *                    is written
 *   stuck=OFFSET     that byte of the first allocation always reads 0
 *   init=CODE        cuInit fails with CODE (100 no device, 803 mismatch, ...)
 *   alloc=CODE       every cuMemAlloc_v2 fails with CODE
 *   delay=MICROSECONDS  every write takes so long, so that there is time to watch or to stop
 *   announce=1       says "stub: written" on standard error when something was written first
 *   copy=CODE        every copy back fails with CODE (700 illegal address, 719 launch failed)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef STUB_CUDA_DEFAULT
#define STUB_CUDA_DEFAULT ""
#endif

typedef int CUresult;
typedef int CUdevice;
typedef void *CUcontext;
typedef unsigned long long CUdeviceptr;

#define ALLOCATIONS 4096

static struct { char *start; size_t length; } allocations[ALLOCATIONS];
static size_t allocated, used;
static int initialised, has_context;
static char context;

static int setting(const char *name, unsigned long long *number) {
  const char *settings = getenv("STUB_CUDA");
  if (!settings) settings = STUB_CUDA_DEFAULT;
  size_t length = strlen(name);
  for (const char *at = settings; at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
    *number = strtoull(at + length + 1, NULL, 10);
    return 1;
  }
  return 0;
}

static unsigned long long number_of(const char *name, unsigned long long otherwise) {
  unsigned long long number;
  return setting(name, &number) ? number : otherwise;
}

/* 201, as the driver answers without a current context; 1 for memory that was never given. */
static CUresult refusal(CUdeviceptr address, size_t length) {
  if (!has_context) return 201;
  for (size_t i = 0; i < ALLOCATIONS; i++) {
    CUdeviceptr start = (CUdeviceptr)allocations[i].start;
    if (!start || address < start || address - start > allocations[i].length) continue;
    if (length <= allocations[i].length - (address - start)) return 0;
  }
  return 1;
}

/* What follows every write: its pace, and a fault of the memory itself, seen by whatever reads the
 * byte next. */
static void written(CUdeviceptr address, size_t length) {
  static int announced;
  unsigned long long offset;
  if (setting("announce", &offset) && !announced) {
    announced = 1;
    fputs("stub: written\n", stderr);
    fflush(stderr);
  }
  if (setting("delay", &offset)) usleep((useconds_t)offset);
  int stuck = setting("stuck", &offset);
  if (!stuck && !setting("corrupt", &offset)) return;
  CUdeviceptr fault = (CUdeviceptr)allocations[0].start + offset;
  if (!allocations[0].start || fault < address || fault >= address + length) return;
  char *byte = (char *)fault;
  *byte = stuck ? 0 : (char)(*byte ^ 0x10);
}

CUresult cuInit(unsigned int flags) {
  unsigned long long code;
  if (setting("init", &code)) return (CUresult)code;
  if (flags) return 1;
  initialised = 1;
  return 0;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  switch (error) {
    case 1: *name = "CUDA_ERROR_INVALID_VALUE"; return 0;
    case 2: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return 0;
    case 3: *name = "CUDA_ERROR_NOT_INITIALIZED"; return 0;
    case 100: *name = "CUDA_ERROR_NO_DEVICE"; return 0;
    case 201: *name = "CUDA_ERROR_INVALID_CONTEXT"; return 0;
    case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return 0;
    case 719: *name = "CUDA_ERROR_LAUNCH_FAILED"; return 0;
    case 803: *name = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"; return 0;
    default: *name = NULL; return 1;
  }
}

CUresult cuDeviceGetCount(int *count) {
  if (!initialised) return 3;
  *count = (int)number_of("gpus", 1);
  return 0;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!initialised) return 3;
  if (ordinal < 0 || ordinal >= (int)number_of("gpus", 1)) return 101;
  *device = ordinal;
  return 0;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (!initialised) return 3;
  snprintf(name, (size_t)length, "Stub CUDA device %d", device);
  return 0;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *result, CUdevice device) {
  (void)device;
  if (!initialised) return 3;
  *result = &context;
  return 0;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  (void)device;
  has_context = 0;
  return 0;
}

CUresult cuCtxSetCurrent(CUcontext value) {
  has_context = value == &context;
  return 0;
}

CUresult cuCtxSynchronize(void) { return has_context ? 0 : 201; }

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
  if (!has_context) return 201;
  *total_bytes = (size_t)number_of("memory", 64ULL << 20);
  *free_bytes = *total_bytes - used;
  return 0;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t length) {
  unsigned long long code;
  if (!has_context) return 201;
  if (setting("alloc", &code)) return (CUresult)code;
  if (length == 0) return 1;
  if (length > number_of("memory", 64ULL << 20) - used || allocated == ALLOCATIONS) return 2;
  char *start = malloc(length);
  if (!start) return 2;
  allocations[allocated].start = start;
  allocations[allocated++].length = length;
  used += length;
  *address = (CUdeviceptr)start;
  return 0;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  if (!has_context) return 201;
  for (size_t i = 0; i < ALLOCATIONS; i++) {
    if (!address || (CUdeviceptr)allocations[i].start != address) continue;
    free(allocations[i].start);
    used -= allocations[i].length;
    allocations[i].start = NULL;
    if (used == 0) allocated = 0;
    return 0;
  }
  return 1;
}

CUresult cuMemsetD32_v2(CUdeviceptr address, unsigned int value, size_t words) {
  CUresult refused = refusal(address, words * 4);
  if (refused) return refused;
  unsigned int *word = (unsigned int *)address;
  for (size_t i = 0; i < words; i++) word[i] = value;
  written(address, words * 4);
  return 0;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr address, const void *source, size_t length) {
  CUresult refused = refusal(address, length);
  if (refused) return refused;
  memcpy((void *)address, source, length);
  written(address, length);
  return 0;
}

CUresult cuMemcpyDtoH_v2(void *destination, CUdeviceptr address, size_t length) {
  unsigned long long code;
  CUresult refused = refusal(address, length);
  if (refused) return refused;
  if (setting("copy", &code)) return (CUresult)code;
  memcpy(destination, (const void *)address, length);
  return 0;
}
