package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.TextPart;

/** A piece of an output text, bound to its registers. */
final class Part {

    /** Null where the piece is always written. */
    final byte[] guard;

    final boolean whenTrue;
    final Slices text;
    final TextPart.Change change;

    /** Literals of a replacement, else null. */
    final Slices what;

    final Slices with;

    Part(TextPart part, Registers registers) {
        guard = part.guard() < 0 ? null : registers.conditions[part.guard()];
        whenTrue = part.whenTrue();
        text = registers.text(part.text());
        change = part.change();
        boolean replaces = change == TextPart.Change.REPLACE;
        what = replaces ? registers.literal(part.what()) : null;
        with = replaces ? registers.literal(part.with()) : null;
    }

    boolean isWrittenIn(int row) {
        return guard == null || guard[row] == Conditions.TRUE == whenTrue;
    }
}
