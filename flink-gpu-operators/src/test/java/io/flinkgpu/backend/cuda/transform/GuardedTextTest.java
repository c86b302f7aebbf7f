package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.program.Operand;
import io.flinkgpu.program.TextPart;
import io.flinkgpu.program.TextPart.Change;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pieces of both sides of a condition are paired, and nothing else is.
 *
 * <p>Covers: GuardedText, text.TextPart.
 */
class GuardedTextTest {

    @Test
    void piecesOfBothSidesArePairedInTheirOrder() {
        List<TextPart> parts =
                List.of(
                        part(3, true, 0),
                        part(3, true, 1),
                        part(3, false, 2),
                        part(3, true, 4),
                        part(3, false, 5));

        assertThat(GuardedText.of(parts))
                .containsExactly(
                        pair(3, register(0), register(2)),
                        pair(3, register(1), register(5)),
                        pair(3, register(4), null));
    }

    @Test
    void aSideAloneHasNothingOnTheOther() {
        assertThat(GuardedText.of(List.of(part(1, false, 0), part(-1, true, 1), part(2, true, 2))))
                .containsExactly(
                        pair(1, null, register(0)),
                        pair(-1, register(1), null),
                        pair(2, register(2), null));
    }

    @Test
    void piecesBehindOthersAreNotMovedBeforeThem() {
        assertThat(GuardedText.of(List.of(part(1, true, 0), part(-1, true, 1), part(1, false, 2))))
                .containsExactly(
                        pair(1, register(0), null),
                        pair(-1, register(1), null),
                        pair(1, null, register(2)));
    }

    @Test
    void changedPiecesStayAlone() {
        TextPart upper = new TextPart(1, false, register(1), Change.UPPER, -1, -1);

        assertThat(GuardedText.of(List.of(part(1, true, 0), upper)))
                .containsExactly(
                        pair(1, register(0), null),
                        new GuardedText(1, null, register(1), Change.UPPER, -1, -1));
    }

    private static Operand register(int index) {
        return new Operand(Operand.Kind.REGISTER, index);
    }

    private static TextPart part(int guard, boolean whenTrue, int register) {
        return new TextPart(guard, whenTrue, register(register), Change.NONE, -1, -1);
    }

    private static GuardedText pair(int guard, Operand text, Operand other) {
        return new GuardedText(guard, text, other, Change.NONE, -1, -1);
    }
}
