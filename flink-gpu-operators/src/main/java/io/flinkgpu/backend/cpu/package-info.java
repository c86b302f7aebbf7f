/**
 * The backend in plain Java: what {@code cpu} and a machine without a GPU use, and what the
 * GPU's results are compared with.
 *
 * <p>Imported by: the root; the contract suites.
 *
 * <p>Owns: its allocator, with the limit that it was opened with, and what it compiled; backend
 * thread only.
 */
package io.flinkgpu.backend.cpu;
