package io.flinkgpu.backend.cuda;

import io.flinkgpu.program.Pass;

/**
 * Where the parts of a pass are in a {@link TransformProgram}: offsets in it, but those of parts and
 * packed literals, which are offsets in the head.
 */
record PassImage(
        Pass pass,
        PassColumns columns,
        int head,
        int headBytes,
        int parts,
        int packed,
        int literals,
        int text,
        int textBytes,
        int automata,
        int upper,
        int lower) {

    /** Whether its literals leave room in a window for the texts of a tile. */
    boolean fitsWindow() {
        return textBytes <= TransformProgram.MAX_LITERALS_IN_WINDOW_BYTES;
    }
}
