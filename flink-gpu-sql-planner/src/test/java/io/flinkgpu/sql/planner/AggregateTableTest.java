package io.flinkgpu.sql.planner;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of aggregates in docs/sql.md is what the code says; with {@code -Ddocs.update=true} it is written.
 *
 * <p>Covers: AggregateSupport.
 */
class AggregateTableTest {

    private static final Path DOCS = Path.of("../docs/sql.md");
    private static final String BEGIN = "<!-- aggregate table, made by AggregateTableTest -->\n";
    private static final String END = "<!-- end of the aggregate table -->\n";

    @Test
    void theDocsHaveTheTableOfTheCode() throws IOException {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        String updated = docs.substring(0, begin) + table() + docs.substring(docs.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, updated);
        }
        assertThat(docs).isEqualTo(updated);
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| aggregate | of |\n|---|---|\n");
        for (AggregateSupport.Function function : AggregateSupport.functions()) {
            table.append("| `%s` | %s |\n".formatted(function.name(), function.of()));
        }
        return table.toString();
    }
}
