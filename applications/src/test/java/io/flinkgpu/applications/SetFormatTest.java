package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What lines mean, and which have no meaning.
 *
 * <p>Covers: SetFormat, OperationFormat.
 */
class SetFormatTest {

    private final ElementReader sets = new ElementReader();

    private SearchOperation read(SetFormat format, String line) {
        byte[] bytes = ("x" + line + "7").getBytes(StandardCharsets.ISO_8859_1);
        return format.read(41, bytes, 1, bytes.length - 1, sets);
    }

    private SearchOperation operation(String line) {
        return read(new OperationFormat(), line.replace('|', '\t'));
    }

    private static String set(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
    }

    @Test
    void anyNumbersAreRead() {
        long seed = System.nanoTime();
        System.out.println("SetFormatTest: seed=" + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 500; run++) {
            int[] elements = new int[random.nextInt(10) == 0 ? 900 : random.nextInt(6)];
            Arrays.setAll(elements, i -> random.nextInt() >>> random.nextInt(32));
            String line =
                    Arrays.stream(elements)
                            .mapToObj(Integer::toUnsignedString)
                            .collect(Collectors.joining(random.nextInt(9) == 0 ? ",00" : ","));
            assertThat(read(SetFormat.documents(), line).elements()).isEqualTo(elements);
        }
    }

    /** Whatever is no list of numbers is refused, as a pattern of them says. */
    @Test
    void anyOtherBytesAreRefused() {
        long seed = System.nanoTime();
        System.out.println("SetFormatTest: seed=" + seed);
        Random random = new Random(seed);
        String letters = "0019,,,-+. \tx\u00b2\r";
        int refused = 0;
        for (int run = 0; run < 5000; run++) {
            String line =
                    random.ints(random.nextInt(7), 0, random.nextBoolean() ? 6 : letters.length())
                            .mapToObj(i -> letters.substring(i, i + 1))
                            .collect(Collectors.joining());
            if (line.isEmpty() || line.matches("[0-9]+(,[0-9]+)*")) {
                assertThat(read(SetFormat.documents(), line).elements())
                        .as("'%s'", line)
                        .isEqualTo(
                                line.isEmpty()
                                        ? new int[0]
                                        : Arrays.stream(line.split(","))
                                                .mapToInt(Integer::parseUnsignedInt)
                                                .toArray());
            } else {
                refused++;
                assertThatThrownBy(() -> read(SetFormat.documents(), line))
                        .as("'%s'", line)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching(
                                "elements are numbers from 0 to 4294967295 with ',' between, and"
                                        + " element [1-7] is none; correct it");
            }
        }
        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4294967296", "99999999999999999999", "18446744073709551616", "-1"})
    void elementsThatAreNoUnsigned32BitNumbers(String element) {
        assertThatThrownBy(() -> read(SetFormat.documents(), "4294967295," + element))
                .hasMessage(
                        "elements are numbers from 0 to 4294967295 with ',' between, and element 2 is"
                                + " none; correct it");
    }

    @Test
    void theLimitCountsDifferentElements() {
        String full = set(7, 1024) + "," + set(7, 1024);
        assertThat(read(SetFormat.documents(), full).change().elements()).hasSize(1024);
        assertThatThrownBy(() -> read(SetFormat.documents(), full + ",1"))
                .hasMessageStartingWith(
                        "the set of a document has at most 1024 elements: elements=");
        assertThatThrownBy(() -> read(SetFormat.queries(3), full + ",1"))
                .hasMessageStartingWith("the set of a query has at most 1024 elements: elements=");
        assertThatThrownBy(() -> operation("U|1|" + full + ",1"))
                .hasMessageStartingWith(
                        "the set of a document has at most 1024 elements: elements=");
        assertThatThrownBy(() -> operation("Q|1|1|0|0|" + full + ",1"))
                .hasMessageStartingWith("the set of a query has at most 1024 elements: elements=");
    }

    @Test
    void linesOfDocumentsAndQueries() {
        SearchOperation document = read(SetFormat.documents(), "3,1,3");
        assertThat(document.isQuery()).isFalse();
        assertThat(document.line()).isEqualTo(41);
        assertThat(document.id()).isEqualTo(41);
        assertThat(document.change().elements()).containsExactly(1, 3);
        SearchOperation query = read(SetFormat.queries(9), "");
        assertThat(query.isQuery()).isTrue();
        assertThat(query.name()).isNull();
        assertThat(query.query().k()).isEqualTo(9);
        assertThat(query.query().elements()).isEmpty();
    }

    @Test
    void operations() {
        SearchOperation upsert = operation("U|-9223372036854775808|4294967295");
        assertThat(upsert.isQuery()).isFalse();
        assertThat(upsert.id()).isEqualTo(Long.MIN_VALUE);
        assertThat(upsert.line()).isEqualTo(41);
        assertThat(upsert.change().elements()).containsExactly(-1);
        assertThat(operation("U|5|").change().elements()).isEmpty();
        SearchOperation delete = operation("D|9223372036854775807");
        assertThat(delete.isQuery()).isFalse();
        assertThat(delete.id()).isEqualTo(Long.MAX_VALUE);
        assertThat(delete.change().isDelete()).isTrue();
        SearchOperation query = operation("Q|a b\u00e9|2147483647|0.25|1|5,4");
        assertThat(query.isQuery()).isTrue();
        assertThat(query.name()).isEqualTo("a b\u00e9");
        assertThat(query.query().k()).isEqualTo(Integer.MAX_VALUE);
        assertThat(query.query().minScore()).isEqualTo(0.25);
        assertThat(query.query().includesZero()).isTrue();
        assertThat(query.query().elements()).containsExactly(4, 5);
        assertThat(operation("Q||1|0|0|").query().includesZero()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "|",
                "U",
                "U|1",
                "U|1|2|3",
                "D",
                "D|1|",
                "X|1",
                "UU|1|2",
                "Q|1|1|0|0",
                "Q|1|1|0|0|5|",
                "u|1|2",
                " U|1|2",
                "||",
                "|||||"
            })
    void operationsThatAreNone(String line) {
        assertThatThrownBy(() -> operation(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an operation is U with 2 more fields, D with 1 or Q with 5, a tab between any"
                                + " two; see --help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "U|x|1; the id of a document is a whole number of 64 bits, with its sign; correct it",
                "U||1; the id of a document is a whole number of 64 bits, with its sign; correct it",
                "D|9223372036854775808; the id of a document is a whole number of 64 bits, with its",
                "Q|1|0|0|0|1; k, the third field of a query, is a whole number from 1 to",
                "Q|1|-5|0|0|1; k, the third field of a query, is a whole number from 1 to",
                "Q|1|2147483648|0|0|1; k, the third field of a query, is a whole number from 1 to",
                "Q|1||0|0|1; k, the third field of a query, is a whole number from 1 to 2147483647",
                "Q|1|1|NaN|0|1; minScore, the fourth field of a query, is a number; use 0 for all",
                "Q|1|1|high|0|1; minScore, the fourth field of a query, is a number; use 0 for all",
                "Q|1|1|0|2|1; the fifth field of a query is 1 for documents with nothing in common",
                "Q|1|1|0|0|1.5; elements are numbers from 0 to 4294967295 with ',' between"
            })
    void fieldsThatAreWrong(String line, String reason) {
        assertThatThrownBy(() -> operation(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason);
    }
}
