/**
 * What survives a checkpoint: partial aggregates of windows, and their versioned serializers.
 * Class names go into savepoints: none may be moved or renamed.
 *
 * <p>Imported by: the root and the operators of windows and lines.
 *
 * <p>Owns: nothing off the heap; task thread only.
 */
package io.flinkgpu.state;
