package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Figures of what SQL's programs print.
 *
 * <p>Covers: SqlPeer.
 */
class SqlPeerTest {

    @Test
    void windowsAreOfTheRoundsBehindTheFirst() {
        String out =
                """
                something of the log
                tumble, 413 keys, object reuse false, ns a row: Flink 8,578, ours 9,375, ratio 0.91
                tumble, 413 keys, object reuse false, ns a row: Flink 545, ours 288, ratio 1.89
                tumble, 413 keys, object reuse false, ns a row: Flink 1,518, ours 254, ratio 5.98
                tumble, 413 keys, object reuse true, ns a row: Flink 400, ours 200, ratio 2.00
                """;
        assertThat(SqlPeer.windows(out))
                .containsExactly(
                        figure("sql-tumble", Engines.FLINK, 0, 545, 1518),
                        figure("sql-tumble", Engines.OURS, 0, 254, 288),
                        figure("sql-tumble", Engines.FLINK, 1, 400),
                        figure("sql-tumble", Engines.OURS, 1, 200));
    }

    @Test
    void expressionsHaveAFigureForEachWay() {
        String out =
                """
                nested, object reuse false, Flink: 142,335 ns a row
                nested, object reuse false, on batches: 3,754 ns a row
                nested, object reuse true, Flink: 141,000 ns a row
                nested, object reuse true, on batches: 3,700 ns a row
                """;
        assertThat(SqlPeer.expressions(out))
                .contains(
                        figure("sql-nested", Engines.FLINK, 0, 142_335),
                        figure("sql-nested", Engines.OURS, 0, 3_754),
                        figure("sql-nested", Engines.OURS, 1, 3_700))
                .hasSize(4);
        assertThatThrownBy(() -> SqlPeer.expressions("no such job"))
                .hasMessageContaining("told no figures: it told no such job");
    }

    private static Figure figure(String axis, String engine, long reuse, double... nanos) {
        return Figure.of(axis, engine, Map.of("objectReuse", reuse), "ns CPU/row", nanos);
    }
}
