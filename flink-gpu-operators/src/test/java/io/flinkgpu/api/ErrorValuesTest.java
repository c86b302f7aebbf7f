package io.flinkgpu.api;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: ErrorValues.
 */
class ErrorValuesTest {

    private static final String SECRET = "hunter2";
    private static final byte[] BYTES = SECRET.getBytes(StandardCharsets.UTF_8);
    private static final ErrorValues FULL = ErrorValues.of(ErrorDetail.FULL);
    private static final ErrorValues HASHED = ErrorValues.of(ErrorDetail.HASHED);

    @Test
    void hiddenValuesHaveTheirClassAndTheLengthOfATextOnly() {
        ErrorValues hidden = ErrorValues.HIDDEN;
        assertThat(hidden.shown(null)).isEqualTo("null");
        assertThat(hidden.shown(SECRET)).isEqualTo("(hidden: String of length 7)");
        assertThat(hidden.shown(BYTES)).isEqualTo("(hidden: byte[] of length 7)");
        assertThat(hidden.shown(4111L)).isEqualTo("(hidden: Long)");
        assertThat(hidden.shown(Tuple2.of(SECRET, 1))).isEqualTo("(hidden: Tuple2)");
        assertThat(hidden.shown(BYTES, 1, 3, 40)).isEqualTo("(hidden: text of length 2)");
        assertThat(hidden.remedy())
                .isEqualTo("; GpuOptions.withErrorDetail(ErrorDetail.FULL) shows what is hidden");
    }

    @Test
    void fullValuesAreShortAndOnOneLine() {
        assertThat(FULL.shown("a\nb")).isEqualTo("a?b");
        assertThat(FULL.shown("x".repeat(1 << 20))).isEqualTo("x".repeat(80) + "...");
        assertThat(FULL.shown(new byte[] {1, (byte) 0xab})).isEqualTo("0x01ab");
        assertThat(FULL.shown(BYTES, 0, 7, 3)).isEqualTo("'hun...'");
        assertThat(FULL.thrown(new IllegalStateException("a\nb")))
                .isEqualTo("java.lang.IllegalStateException: a?b");
        assertThat(FULL.remedy()).isEmpty();
    }

    @Test
    void equalValuesHaveEqualHashesInOneJob() throws Exception {
        String shown = HASHED.shown(SECRET);
        assertThat(shown).matches("\\(hidden: String of length 7, hash [0-9a-f]{12}\\)");
        ErrorValues inATask =
                InstantiationUtil.deserializeObject(
                        InstantiationUtil.serializeObject(HASHED), getClass().getClassLoader());
        assertThat(inATask.shown(SECRET)).isEqualTo(shown);
        String hash = shown.substring(shown.indexOf("hash "));
        assertThat(HASHED.shown(BYTES, 0, 7, 1)).endsWith(hash);
        assertThat(HASHED.shown("hunter3")).doesNotContain(hash);
        assertThat(ErrorValues.of(ErrorDetail.HASHED).shown(SECRET)).doesNotContain(hash);
        assertThat(HASHED.toString()).isEqualTo("ErrorValues[HASHED]");
    }

    @Test
    void aCauseKeepsItsPlaceAndLosesItsMessage() {
        NumberFormatException inner = new NumberFormatException(SECRET);
        IllegalStateException outer = new IllegalStateException("of " + SECRET, inner);
        outer.addSuppressed(new IllegalStateException(SECRET));
        assertThat(FULL.cause(outer)).isSameAs(outer);
        Throwable hidden = ErrorValues.HIDDEN.cause(outer);
        assertThat(hidden)
                .hasMessage("java.lang.IllegalStateException (hidden: String of length 10)")
                .hasNoSuppressedExceptions();
        assertThat(hidden.getStackTrace()).isEqualTo(outer.getStackTrace());
        assertThat(hidden.getCause())
                .hasMessage("java.lang.NumberFormatException (hidden: String of length 7)")
                .hasNoCause();
        assertThat(ErrorValues.HIDDEN.thrown(new NullPointerException()))
                .isEqualTo("java.lang.NullPointerException");
    }

    @Test
    void causesThatGoRoundInACircleEnd() {
        IllegalStateException first = new IllegalStateException(SECRET);
        IllegalStateException second = new IllegalStateException(SECRET, first);
        first.initCause(second);
        assertThat(ErrorValues.HIDDEN.cause(first)).hasMessageNotContaining(SECRET);
    }
}
