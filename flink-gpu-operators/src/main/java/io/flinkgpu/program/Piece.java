package io.flinkgpu.program;

/**
 * A piece of a text that a pass writes; see {@link TextPart}.
 *
 * @param guard condition that is never null, or null for always
 */
record Piece(Node guard, boolean whenTrue, Text.Slice slice) {

    /** The first stage that can write it. */
    int stage() {
        return Math.max(slice.node().stage(), guard == null ? 0 : guard.stage());
    }
}
