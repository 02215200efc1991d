// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The C interface: folds and scans whose type and operator are known at run time. Link rung::rung.
 * Every int function returns 0, or an error code with its text in rung_last_error() (per thread);
 * nothing is written before the arguments are checked. Results are the same bits as the C++ calls
 * give, for any number of threads. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rung_type {
  RUNG_BOOL,
  RUNG_I8,
  RUNG_I16,
  RUNG_I32,
  RUNG_I64,
  RUNG_U8,
  RUNG_U16,
  RUNG_U32,
  RUNG_U64,
  RUNG_F16,
  RUNG_BF16,
  RUNG_F32,
  RUNG_F64,
  RUNG_C64,
  RUNG_C128,
  RUNG_TYPE_IS_32_BITS = 0x7fffffff /* no type */
} rung_type;

typedef enum rung_op {
  RUNG_SUM,
  RUNG_PROD,
  RUNG_MIN,
  RUNG_MAX,
  RUNG_ARGMIN,
  RUNG_ARGMAX,
  RUNG_MINMAX,
  RUNG_MEAN,
  RUNG_VAR,
  RUNG_STD,
  RUNG_NORM,
  RUNG_DOT,
  RUNG_VDOT,
  RUNG_ANY,
  RUNG_ALL,
  RUNG_COUNT,
  RUNG_LOGSUMEXP,
  RUNG_CUMSUM,
  RUNG_CUMPROD,
  RUNG_CUMMIN,
  RUNG_CUMMAX,
  RUNG_CUMLOGSUMEXP,
  RUNG_OP_IS_32_BITS = 0x7fffffff /* no operation */
} rung_op;

/* Where to compute. The bits are the same everywhere. cuda: the current GPU, for reductions and
 * scans of arrays in host memory; an error where that cannot be, as where some axes or segments are
 * folded of an array that does not fit the GPU's memory. Groups are found on the CPU. auto: the GPU
 * if that is likely to be faster, otherwise the CPU. */
typedef enum rung_device {
  RUNG_CPU,
  RUNG_CUDA,
  RUNG_AUTO,
  RUNG_DEVICE_IS_32_BITS = 0x7fffffff /* no device */
} rung_device;

/* Where the data of all arrays of a call lie (a, b, out, offsets, order; not init): in host memory,
 * or in the memory of one GPU. There, a call is asynchronous: it starts its work on options.stream
 * and returns. Nothing waits for the host, so a call can be captured into a CUDA graph. Shapes,
 * strides, init and options are read before it returns; arrays must stay until the stream has done
 * the work, and the stream until then too. Workspaces are kept per stream, from a memory pool of
 * rung's own; a captured call keeps its own for as long as the program runs. The bits are those of
 * the CPU. What depends on values cannot be an error there: argmin and argmax of values that are
 * all NaN, with NaN skipped, give -1; wrong offsets give wrong results, and nothing outside the
 * arrays is read or written; a position of `order` outside them is taken as the nearest inside.
 * Exact there are sums and means of f16, bf16, f32 and f64 along axes, without init; all else that
 * is exact, partials and groups take arrays in host memory alone. */
typedef enum rung_memory {
  RUNG_HOST_MEMORY,
  RUNG_GPU_MEMORY,
  RUNG_MEMORY_IS_32_BITS = 0x7fffffff /* no memory */
} rung_memory;

typedef enum rung_error {
  RUNG_OK,
  RUNG_BAD_ARGUMENT,
  RUNG_BAD_TYPE,
  RUNG_EMPTY,
  RUNG_OVERLAP,
  RUNG_NO_MEMORY,
  RUNG_INTERNAL,
  RUNG_DEVICE_ERROR, /* no GPU, or what it or its driver says */
  RUNG_RANK_ERROR    /* another rank failed; only from the C++ rung of ranks */
} rung_error;

/* An n-d array, rank 0 to 16. Strides count bytes, may be negative or 0; NULL strides: C order.
 * swapped: the elements' bytes are in the other order than this machine's (inputs only). */
typedef struct rung_array {
  void* data;
  rung_type type;
  int32_t swapped;
  int32_t rank;
  const int64_t* shape;
  const int64_t* strides;
} rung_array;

typedef struct rung_options {
  size_t size;         /* sizeof(rung_options), set by rung_options_default */
  const int32_t* axes; /* negative: counted from the last */
  int32_t axis_count; /* -1: all axes (a scan: all values in C order, a 1-D result); a scan takes -1
                         or 1 */
  int32_t keepdims;   /* reductions: folded axes stay, with length 1 */
  int32_t exclusive;  /* scans: entry i is the fold before value i */
  int32_t skip_nan;   /* NaN values are left out */
  double ddof;        /* var, std: divisor count - ddof */
  int32_t accumulate; /* a rung_type that state and result are held in, or -1 */
  int32_t threads;    /* 0: as many as there are */
  const void* init;   /* one value of init_type that stands before the first, or NULL */
  rung_type init_type;
  void (*progress)(void* context, double fraction); /* or NULL */
  void* progress_context;
  int32_t device;  /* a rung_device */
  int32_t reverse; /* scans: from the end; entry i is the fold of the last value, ..., value i */
  int32_t exact;   /* sum, mean, var, std, norm, dot, vdot, cumsum of real values: as if with
                      infinite precision, rounded once */
  int32_t memory;  /* a rung_memory; RUNG_GPU_MEMORY needs a build with CUDA */
  int32_t gpu;     /* GPU memory: which GPU, or -1: the current one */
  void* stream;    /* GPU memory: a cudaStream_t of that GPU; NULL: the default stream */
  const int32_t* gpus; /* RUNG_CUDA, whole arrays in host memory: GPUs that share a reduction */
  int32_t gpu_count;   /* of gpus; -1: all of this machine; 0: the current one */
} rung_options;
void rung_options_default(rung_options* options);

/* Type and shape of a result. b: the second array of dot and vdot, otherwise NULL. shape has room
 * for 17 lengths. minmax has shape (2, ...): first the minima, then the maxima. */
int rung_result(rung_op op, const rung_array* a, const rung_array* b, const rung_options* options,
                rung_type* type, int32_t* rank, int64_t* shape);
/* out has the type and shape that rung_result tells, and any strides. */
int rung_reduce(rung_op op, const rung_array* a, const rung_array* b, const rung_options* options,
                const rung_array* out);
/* out may be a itself if the types agree. */
int rung_scan(rung_op op, const rung_array* a, const rung_options* options, const rung_array* out);

/* The linear recurrence x[t] = a[t] x[t-1] + b[t] along one axis (axis_count -1: over all values in
 * C order), in the one order: the scan of the maps x -> a x + b. Arrays of one shape; init: the x
 * before the first, 0 if there is none; reverse: x[t] = a[t] x[t+1] + b[t]. out may be a or b.
 * rung_recurrence_type tells the type of out, which is that of a running sum of products. */
int rung_linear_recurrence(const rung_array* a, const rung_array* b, const rung_options* options,
                           const rung_array* out);
int rung_recurrence_type(rung_type a, rung_type b, const rung_options* options, rung_type* type);

/* Segments of a 1-D array: segment s is positions offsets[s] .. offsets[s + 1] - 1. offsets: a 1-D
 * array of integers that never falls, count + 1 of them. order: NULL, or a 1-D array of i64
 * positions: value k of the line that is cut is a[order[k]] (see rung_group). out: count results of
 * the type that rung_result tells (minmax: shape (2, count)). An empty segment gives the operator's
 * identity (sum 0, min +inf), init if there is one, NaN for a mean. */
int rung_segmented_reduce(rung_op op, const rung_array* a, const rung_array* offsets,
                          const rung_array* order, const rung_options* options,
                          const rung_array* out);
/* Every segment scanned for itself, out[order[k]] belonging to a[order[k]]. Positions outside all
 * segments get the scan's empty result. */
int rung_segmented_scan(rung_op op, const rung_array* a, const rung_array* offsets,
                        const rung_array* order, const rung_options* options,
                        const rung_array* out);

/* Groups of equal keys of a 1-D array, as segments. everywhere 0: runs of equal neighbours.
 * everywhere 1: equal keys wherever they stand, sorted by key (NaN last), positions ascending
 * within a group. NaN equals NaN. */
typedef struct rung_groups rung_groups;
int rung_group(const rung_array* keys, int32_t everywhere, const rung_options* options,
               rung_groups** groups);
int64_t rung_groups_count(const rung_groups* groups);
const int64_t* rung_groups_offsets(const rung_groups* groups); /* count + 1 */
const int64_t* rung_groups_order(
    const rung_groups* groups); /* as many as keys, or NULL: their own order */
int rung_groups_keys(const rung_groups* groups,
                     const rung_array* out); /* one per group, of the keys' type */
void rung_groups_free(rung_groups* groups);

/* The text of this thread's last error; what ran last in this thread (instruction set, threads). */
const char* rung_last_error(void);
const char* rung_last_kernel(void);
const char* rung_version(void);
/* What this build and this machine compute with, as lines for people. */
const char* rung_machine(void);

/* Names: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128; NumPy's names and codes are
 * understood too. */
const char* rung_type_name(rung_type type);
int rung_type_from_name(const char* name, rung_type* type);
size_t rung_type_size(rung_type type);
const char* rung_op_name(rung_op op);
int rung_op_from_name(const char* name, rung_op* op);
int rung_op_is_scan(rung_op op);

/* A partial: the summary of positions [begin, end) of a longer array, as the trees of its aligned
 * blocks. Neighbours merge exactly, whatever the split. Reductions of one array only. */
typedef struct rung_partial rung_partial;
int rung_partial_create(rung_op op, rung_type type, const rung_options* options, int64_t begin,
                        rung_partial** partial);
int rung_partial_append(rung_partial* partial, const rung_array* values); /* 1-D */
int rung_partial_merge(rung_partial* left,
                       const rung_partial* right); /* right begins where left ends */
int rung_partial_value(const rung_partial* partial, void* value,
                       rung_type* type, /* begin must be 0 */
                       int32_t* count); /* 2 values for minmax */
int rung_partial_range(const rung_partial* partial, int64_t* begin, int64_t* end);
/* buffer NULL: only the size is told. */
int rung_partial_save(const rung_partial* partial, void* buffer, size_t* size);
int rung_partial_load(const void* bytes, size_t size, rung_partial** partial);
rung_op rung_partial_op(const rung_partial* partial);
void rung_partial_free(rung_partial* partial);

#ifdef __cplusplus
}
#endif
