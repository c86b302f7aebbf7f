package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.program.Pass;

import java.util.List;

/**
 * Where the parts of a pass are in a {@link TransformProgram}: offsets in it, but those of parts and
 * packed literals, which are offsets in the head.
 *
 * @param textRegisters how many the kernel needs
 * @param texts the pieces of each output, none of those that are no texts
 */
record PassImage(
        Pass pass,
        PassColumns columns,
        int textRegisters,
        List<List<GuardedText>> texts,
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
