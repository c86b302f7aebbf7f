/**
 * Documents as sets of numbers, in tiles: how they are kept, found by id, changed and ordered; pure Java, and
 * the same for all backends.
 *
 * <p>Imported by: {@code backend.plan}, {@code backend.cpu.search}, {@code backend.cuda.search}, {@code
 * operator.search}.
 *
 * <p>Owns: the tiles that its callers make.
 */
package io.flinkgpu.sets;
