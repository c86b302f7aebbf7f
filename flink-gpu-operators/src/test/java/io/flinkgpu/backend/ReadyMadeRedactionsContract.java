package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows that the Javadoc of {@link Redactions} fixes, on every backend.
 *
 * <p>Covers: Redactions.
 */
public abstract class ReadyMadeRedactionsContract extends PassTester {

    private static final String PUBLIC = "public";

    @Test
    void nameByVisibility() throws Exception {
        List<String[]> rows =
                List.of(
                        new String[] {"John Doe", PUBLIC, "D John"},
                        new String[] {"John Doe", "private", "X X"},
                        new String[] {"John Doe", "nonpublic", "X X"},
                        new String[] {"John Doe", "Public", "X X"},
                        new String[] {"John Doe", "", "X X"},
                        new String[] {"Cher", PUBLIC, "C Cher"},
                        new String[] {"", PUBLIC, " "},
                        new String[] {" ", PUBLIC, " "},
                        new String[] {"A  B", PUBLIC, "  A"},
                        new String[] {" B", PUBLIC, "B "},
                        new String[] {"A ", PUBLIC, " A"},
                        new String[] {"Ana \u00d6zil", PUBLIC, "\u00d6 Ana"},
                        new String[] {"Ana \ud83d\ude00x", PUBLIC, "\ud83d\ude00 Ana"},
                        new String[] {"John Ronald Tolkien", PUBLIC, "R John"},
                        new String[] {null, PUBLIC, null},
                        new String[] {null, "private", "X X"},
                        new String[] {"John Doe", null, "X X"},
                        new String[] {null, null, "X X"});
        Program program =
                ProgramCompiler.compile(
                        new TreeMap<>(
                                Map.of("name", ColumnType.TEXT, "visibility", ColumnType.TEXT)),
                        List.of(Redactions.nameByVisibility()));
        List<List<String>> columns = List.of(column(rows, 0), column(rows, 1));
        try (CompiledProgram<TransformedBatch> compiled =
                        backend.compile(new TransformPlan(program));
                ColumnBatch batch =
                        TestColumns.batch(backend.allocator(), 1, program.types(), columns);
                TransformedBatch result = compiled.submit(batch).await()) {
            assertThat(TestColumns.values(result.columns(), 0)).isEqualTo(column(rows, 2));
        }
    }

    private static List<String> column(List<String[]> rows, int column) {
        return rows.stream()
                .map(row -> row[column] == null ? null : ByteText.of(row[column]))
                .toList();
    }
}
