package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A struct that Java does not mirror field by field is noticed.
 *
 * <p>Covers: KernelHeader.
 */
class KernelHeaderTest {

    private static final String HEADER =
            """
            inline constexpr uint32_t rows = 3;  // a comment
            struct inner {
              uint8_t code;
              uint16_t reserved;
              uint32_t words[rows + 1];
            };
            static_assert(sizeof(inner) == 20);

            struct alignas(16) outer_args {
              // A comment of its own.
              uint8_t flag;  // 1 or 0
              const inner* list;
              inner own;
              int64_t number;
              uint16_t place;  // the kernel's own: where it is
              uint8_t last;
            };
            static_assert(sizeof(outer_args) == 64);
            """;

    @Test
    void fieldsAreWhereACompilerPutsThem() {
        assertThat(namesOf(HEADER))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "ROWS", 3,
                                "INNER_CODE", 0,
                                "INNER_WORDS", 4,
                                "INNER_BYTES", 20,
                                "ARGS_FLAG", 0,
                                "ARGS_LIST", 8,
                                "ARGS_OWN", 16,
                                "ARGS_NUMBER", 40,
                                "ARGS_FINAL", 50,
                                "ARGS_BYTES", 64));
    }

    @Test
    void aFieldThatIsMissingOrMovedChangesTheNumbers() {
        assertThat(namesOf(HEADER.replace("  uint8_t last;\n", ""))).isNotEqualTo(namesOf(HEADER));
        assertThat(namesOf(HEADER.replace("uint8_t flag;", "uint8_t flag;\n  uint8_t more;")))
                .isNotEqualTo(namesOf(HEADER));
        String moved =
                HEADER.replace("  int64_t number;\n", "")
                        .replace("inner own;", "int64_t number;\n  inner own;")
                        .replace("== 64", "== 48");
        assertThat(namesOf(moved)).containsEntry("ARGS_NUMBER", 16).containsEntry("ARGS_OWN", 24);
    }

    @Test
    void aSizeThatIsNotAsTheCompilerChecksItIsAnError() {
        assertThatThrownBy(() -> new KernelHeader(HEADER.replace("== 20", "== 24")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("inner: no static_assert after it that its size is 20");
        assertThatThrownBy(
                        () -> new KernelHeader(HEADER.replace("int64_t number", "int8_t number")))
                .hasMessageContaining("outer_args");
        assertThatThrownBy(
                        () ->
                                new KernelHeader(
                                        HEADER.replace(
                                                "static_assert(sizeof(inner) == 20);\n", "")))
                .hasMessageContaining("inner");
    }

    @Test
    void whatItCannotReadIsAnError() {
        assertThatThrownBy(() -> new KernelHeader(HEADER.replace("int64_t", "long")))
                .hasMessage("unknown type: long");
        assertThatThrownBy(() -> new KernelHeader(HEADER.replace("int64_t number;", "int a, b;")))
                .hasMessage("no field:   int a, b;");
        assertThatThrownBy(() -> new KernelHeader(HEADER.replace("inner {", "inner final {")))
                .hasMessageContaining("unknown type: inner");
        assertThatThrownBy(() -> new KernelHeader(HEADER.replace("outer_args {", "outer_args{")))
                .hasMessage("a struct is not as the others: only read [inner]");
        assertThatThrownBy(() -> namesOf(HEADER.replace("uint8_t flag", "uint8_t bytes")))
                .hasMessageContaining("stands for two numbers");
    }

    private static Map<String, Integer> namesOf(String header) {
        return new KernelHeader(header)
                .javaNames(Map.of("outer_args", "args"), Map.of("outer_args.last", "args_final"));
    }
}
