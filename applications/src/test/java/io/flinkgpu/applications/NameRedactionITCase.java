package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole example on an embedded Flink; the names against plain strings.
 *
 * <p>Covers: NameRedaction.
 */
class NameRedactionITCase {

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void namesAreThoseThatAnybodyMaySee(int parallelism) {
        Cli run = Cli.runNames("--rows", 100_000, "--backend", "cpu", "--parallelism", parallelism);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        List<String> expected = new ArrayList<>(List.of("", "Before and after"));
        People people = new People();
        for (long number = 0; number < 10; number++) {
            Person person = people.map(number);
            expected.add(
                    String.format(
                            "  %-20s %-10s -> %s",
                            person.name(), person.visibility(), shownName(person)));
        }
        expected.add("");
        assertThat(run.out().subList(0, run.out().size() - 1)).isEqualTo(expected);
        assertThat(run.out().get(run.out().size() - 1))
                .matches(
                        "100,000 rows in [0-9.]+ s: [0-9,]+ rows/s \\(backend cpu, parallelism "
                                + parallelism
                                + "\\)");
    }

    @Test
    void theFirstPeopleAreOfSeveralKinds() {
        People people = new People();
        List<String> shown = new ArrayList<>();
        for (long number = 0; number < 10; number++) {
            shown.add(shownName(people.map(number)));
        }
        assertThat(shown).contains("X X").anyMatch(name -> !name.equals("X X"));
    }

    @Test
    void helpNamesEveryOption() {
        Cli help = Cli.runNames("--nonsense", "--help");
        assertThat(help.code()).isZero();
        assertThat(String.join("\n", help.out()))
                .contains("--rows", "--backend", "--parallelism", "--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --row 5       | unknown option '--row'; did you mean '--rows'?
                    5             | unexpected argument '5': see --help
                    --rows        | option --rows lacks its value: see --help
                    --rows 0      | option --rows is a whole number from 1 to 2000000000, not '0'
                    --backend gpu | option --backend is auto, cpu or cuda, not 'gpu': choose one
                    """)
    void mistakesAreOneLine(String args, String message) {
        Cli run = Cli.runNames((Object[]) args.split(" "));
        assertThat(run).isEqualTo(new Cli(2, List.of(), List.of("name-redaction: " + message)));
    }

    private static String shownName(Person person) {
        if (!person.visibility().equals("public")) {
            return "X X";
        }
        int space = person.name().indexOf(' ');
        String first = space < 0 ? person.name() : person.name().substring(0, space);
        String last = person.name().substring(space + 1);
        return last.substring(0, 1) + " " + first;
    }
}
