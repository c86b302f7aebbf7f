package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.program.TextPart;

/** A piece of an output text, bound to its registers. */
final class Part {

    private final byte[] guard;
    private final int inverted;

    final Slices text;
    final TextPart.Change change;

    /** Literals of a replacement, else null. */
    final Slices what;

    final Slices with;

    Part(TextPart part, Registers registers) {
        boolean isGuarded = part.guard() >= 0;
        guard = isGuarded ? registers.conditions[part.guard()] : registers.always();
        inverted = isGuarded && !part.whenTrue() ? Conditions.TRUE : Conditions.FALSE;
        text = registers.text(part.text());
        change = part.change();
        boolean replaces = change == TextPart.Change.REPLACE;
        what = replaces ? registers.literal(part.what()) : null;
        with = replaces ? registers.literal(part.with()) : null;
    }

    /** All bits of a row where the piece is written, else 0. */
    int mask(int row) {
        return -(guard[row] ^ inverted);
    }
}
