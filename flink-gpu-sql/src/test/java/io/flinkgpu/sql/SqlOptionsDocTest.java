package io.flinkgpu.sql;

import io.flinkgpu.sql.connector.LinesTableFactory;
import io.flinkgpu.sql.model.RedactModelFactory;
import io.flinkgpu.sql.module.GpuModuleFactory;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.Factory;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/sql.md has every option of tables, models and the module, with its default.
 *
 * <p>Covers: LinesTableFactory.
 */
class SqlOptionsDocTest {

    static Stream<Factory> factories() {
        return Stream.of(new LinesTableFactory(), new RedactModelFactory(), new GpuModuleFactory());
    }

    @ParameterizedTest
    @MethodSource("factories")
    void optionsAreInTheDocs(Factory factory) throws Exception {
        List<String> rows =
                Files.readAllLines(Path.of("../docs/sql.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .toList();
        assertThat(factory.optionalOptions()).isNotEmpty();
        for (ConfigOption<?> option : factory.optionalOptions()) {
            assertThat(rows)
                    .as(option.key())
                    .anyMatch(
                            row ->
                                    row.substring(0, row.indexOf('|', 2))
                                                    .contains("`" + option.key() + "`")
                                            && row.contains(shownDefault(option)));
        }
    }

    private static String shownDefault(ConfigOption<?> option) {
        return option.hasDefaultValue()
                ? "`" + option.defaultValue().toString().toLowerCase(Locale.ROOT) + "`"
                : "|";
    }
}
