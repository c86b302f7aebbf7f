/**
 * Files that are not what they were when they were listed, and lines that are too long: what is counted,
 * logged and refused, the same by whatever reads them.
 *
 * <p>Imported by: {@code source} and {@code operator.lines}.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.files;
