package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.applications.Shingles.Unit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command line of near-duplicates. The caller's mistakes: one line each, exit code 2, nothing written.
 *
 * <p>Covers: DuplicateOptions.
 */
class DuplicateOptionsTest {

    @TempDir private Path folder;

    @Test
    void defaults() throws UsageException {
        assertThat(DuplicateOptions.parse())
                .isEqualTo(
                        new DuplicateOptions(
                                Optional.empty(),
                                Optional.empty(),
                                20_000,
                                new Shingles(5, Unit.WORDS, 32),
                                0.8,
                                3,
                                50_000,
                                BackendChoice.AUTO,
                                0));
    }

    @Test
    void helpNamesEveryOptionWithItsDefault() {
        Cli help = Cli.runDuplicates("--nonsense", "--help");
        assertThat(help.code()).isZero();
        assertThat(String.join("\n", help.out()))
                .contains(
                        "--input",
                        "--output",
                        "--min-score S    the least score of an alert, 0 to 1 (default: 0.8)",
                        "--k N            earlier lines of an alert, at most (default: 3)",
                        "--shingle",
                        "--unit",
                        "--hash-bits",
                        "--keep",
                        "--rows",
                        "--backend",
                        "--parallelism",
                        "--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --keeps 5         | unknown option '--keeps'; did you mean '--keep'?
                    app.log           | unexpected argument 'app.log': a file is given with --input
                    --input           | option --input lacks its value: see --help
                    --min-score 1.5   | option --min-score is a number from 0 to 1, not '1.5'
                    --min-score NaN   | option --min-score is a number from 0 to 1, not 'NaN'
                    --k 0             | option --k is a whole number from 1 to 1024, not '0'
                    --shingle 0       | option --shingle is a whole number from 1 to 1000, not '0'
                    --unit characters | option --unit is one of words, bytes, not 'characters': choose one
                    --hash-bits 33    | option --hash-bits is a whole number from 10 to 32, not '33'
                    --keep 0          | option --keep is a whole number from 1 to 10000000, not '0'
                    --rows -1         | option --rows is a whole number from 1 to 1000000000, not '-1'
                    --rows 5 --input x | option --rows is for made-up news: leave out --rows or --input
                    """)
    void mistakesAreOneLine(String args, String message) {
        assertRefused(message, (Object[]) args.split(" "));
    }

    @Test
    void filesThatCannotBe() throws IOException {
        Path log = Files.writeString(folder.resolve("app.log"), "precious\n");
        Path missing = folder.resolve("missing.log");
        assertRefused(
                "input '" + missing + "' does not exist: name a file or a directory",
                "--input",
                missing);
        assertRefused(
                "input '" + folder + "' is a directory: name a file, as alerts are about its lines",
                "--input",
                folder);
        assertRefused(
                "output '" + log + "' exists: name a new file", "--input", log, "--output", log);
        Path nowhere = folder.resolve("no/alerts");
        assertRefused(
                "cannot write output '"
                        + nowhere
                        + "': name a file in a folder that exists and is writable",
                "--input",
                log,
                "--output",
                nowhere);
        assertThat(log).hasContent("precious");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(log));
    }

    private static void assertRefused(String message, Object... args) {
        assertThat(Cli.runDuplicates(args))
                .isEqualTo(new Cli(2, List.of(), List.of("near-duplicates: " + message)));
    }
}
