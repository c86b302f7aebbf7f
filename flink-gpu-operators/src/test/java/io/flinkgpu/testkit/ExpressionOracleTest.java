package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.Expressions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The oracle against answers written by hand, and its texts against the JDK's decoder.
 *
 * <p>Covers: ExpressionOracle.
 */
class ExpressionOracleTest {

    private static final long SEED = 20_261_121;

    static Stream<ExpressionEdges.Edge> edges() {
        return ExpressionEdges.tables().stream().flatMap(table -> table.edges().stream());
    }

    @ParameterizedTest
    @MethodSource("edges")
    void answersAsWritten(ExpressionEdges.Edge edge) {
        ExpressionOracle oracle = new ExpressionOracle(ExpressionCase.HASH_KEY);
        assertThat(oracle.evaluate(edge.expression(), edge.row())).isEqualTo(edge.expected());
    }

    @Test
    void hashesAreHmacSha256() {
        // RFC 4231, test case 2.
        ExpressionOracle oracle = new ExpressionOracle("Jefe".getBytes(StandardCharsets.US_ASCII));
        Object hash =
                oracle.evaluate(
                        Expressions.col("t").hashHmac(),
                        TransformInput.row("t", "what do ya want for nothing?"));
        assertThat(hash)
                .isEqualTo(
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
                                .getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void textsKeepTheirBytesAndKnowWhatIsValid() {
        Random random = new Random(SEED);
        RandomRows rows = new RandomRows(random);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = rows.text();
            String where = "seed=" + SEED + ", " + HexFormat.of().formatHex(bytes);
            String text = SurrogateText.decode(bytes);
            assertThat(SurrogateText.encode(text)).as(where).isEqualTo(bytes);
            try {
                String valid =
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString();
                assertThat(text).as(where).isEqualTo(valid);
            } catch (CharacterCodingException e) {
                assertThat(SurrogateText.hasBytes(text)).as(where).isTrue();
            }
        }
    }
}
