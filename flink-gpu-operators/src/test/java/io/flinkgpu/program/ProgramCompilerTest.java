package io.flinkgpu.program;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Redactions;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What expressions become, as disassembly. */
class ProgramCompilerTest {

    private static final Map<String, ColumnType> COLUMNS = new LinkedHashMap<>();

    static {
        COLUMNS.put("id", ColumnType.LONG);
        COLUMNS.put("name", ColumnType.TEXT);
        COLUMNS.put("visibility", ColumnType.TEXT);
        COLUMNS.put("score", ColumnType.DOUBLE);
        COLUMNS.put("active", ColumnType.BOOLEAN);
    }

    private static String explain(Expression... expressions) {
        return ProgramCompiler.compile(COLUMNS, List.of(expressions)).explain();
    }

    @Test
    void theRedactionOfTheArticleIsOnePass() {
        assertThat(explain(Redactions.nameByVisibility()))
                .isEqualTo(
                        """
                        read name TEXT, visibility TEXT
                        pass
                          c0 = equal_text visibility 'public'
                          c1 = is_true c0
                          t0, t1 = split name ' '
                          t2 = left t1 1
                          #2 TEXT = t2 if c1, ' ' if c1, t0 if c1, 'X X' if not c1
                        results #2
                        """);
    }
}
