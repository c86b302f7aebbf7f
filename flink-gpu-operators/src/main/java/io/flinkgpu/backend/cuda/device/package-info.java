/**
 * The device runtime: contexts, memory, slots for batches under way, launches; the only package
 * that imports {@code jcuda}, and free of any verb.
 *
 * <p>Imported by: {@code backend.cuda} and its verbs.
 *
 * <p>Owns: all device and pinned memory, and what is shared by the process for each device.
 * Backend threads call it; only what says so may be called by others.
 */
package io.flinkgpu.backend.cuda.device;
