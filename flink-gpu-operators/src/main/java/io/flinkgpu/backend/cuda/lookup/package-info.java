/**
 * Embedding tables over device memory, host memory that kernels read, and disk; batches of requests look vectors up
 * in them, and batches of changes change them.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: the tables' memory and files, as long as the program, and the threads that read disks; backend thread
 * only.
 */
package io.flinkgpu.backend.cuda.lookup;
