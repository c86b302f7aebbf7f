/**
 * Groups the rows of a batch on the device by key and slice, and adds up their values.
 *
 * <p>Imported by: {@code backend.cuda}, and {@code backend.cuda.lines}, which gives the same
 * results.
 *
 * <p>Owns: one slot for each batch under way, and a result's arrays until they are returned;
 * backend thread only.
 */
package io.flinkgpu.backend.cuda.aggregate;
