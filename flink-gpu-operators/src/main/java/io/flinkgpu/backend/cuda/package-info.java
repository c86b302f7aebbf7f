/**
 * The backend on an NVIDIA GPU: opens a device and compiles each plan with the package of its
 * verb.
 *
 * <p>Imported by: the root; the contract suites.
 *
 * <p>Owns: a hold on the device's context and on what subtasks share there, the pinned arena and
 * the allocator over it; backend thread only.
 */
package io.flinkgpu.backend.cuda;
