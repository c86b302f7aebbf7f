package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: CheckRules.
 */
class CheckRulesTest {

    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void aRuleFile() throws IOException {
        assertThat(check("r.tsv", "a\tAKIA[0-9]{4}\t[A]\nb\t\\w+@\t[B]\n")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("accepted", "cost low     a", "cost high    b")
                .contains("2 of 2 rules are accepted");
    }

    /** The border may be at any of the last characters; without it the rule fits. */
    @Test
    void aRuleTooLargeForAnAutomaton() throws IOException {
        String large = "float.{0,40}\\b([a-zA-Z0-9-._+=]{59,60})\\b";
        String rewritten = "float.{0,40}([a-zA-Z0-9-._+=]{59,60})\\b";

        assertThat(check("r.tsv", "a\t" + large + "\t[A]\nb\t" + rewritten + "\t[B]\n")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("a\n    too large for an automaton .*leave out \\\\b .*\naccepted")
                .containsOnlyOnce("too large")
                .contains("2 of 2 rules are accepted");
    }

    /** Alone it is one automaton, as a job has it; beside one that is too large for any it is looked for by a wider one. */
    @Test
    void aLargeRuleInAFileOfOneAutomatonIsNotTooLarge() throws IOException {
        String rule = "a\tpassword.{1,500}\\bx\\b\t[A]\n";
        assertThat(check("r.tsv", rule)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("accepted  11489 states")
                .doesNotContain("too large");

        out.reset();
        String tooLarge = "float.{0,40}\\b([a-zA-Z0-9-._+=]{59,60})\\b";
        assertThat(check("s.tsv", rule + "b\t" + tooLarge + "\t[B]\n")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern(" a\n    too large .*\n.* b\n    too large");
    }

    @Test
    void aPackWithARefusedRule() throws IOException {
        String pack =
                """
                [[rules]]
                id = 'b'
                path = 'x'
                [[rules]]
                id = 'a'
                regex = '''(a)\\1'''
                """;

        assertThat(check("p.toml", pack)).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("note: ", "about paths alone", "refused")
                .contains("p.toml:4: Redaction rule 'a': backreference")
                .doesNotContain("'a' (#")
                .contains("0 of 1 rules are accepted");
    }

    @Test
    void rulesBelowTheFilesConfidenceAreNamed() throws IOException {
        String rules =
                """
                confidence: medium
                rules:
                  - {name: sure, regex: 'AKIA[0-9]{4}', label: '[A]'}
                  - {name: guess, regex: 'B[0-9]{4}', label: '[B]', confidence: low}
                """;
        assertThat(check("r.yaml", rules)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("left out, below the file's 'confidence': guess\n")
                .contains("1 of 1 rules are accepted");
    }

    @Test
    void theCallersMistakes() throws IOException {
        assertThat(check("r.txt", "x")).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
        assertThat(run("--help")).isZero();
        assertThat(run("--strict", "r.yaml")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("unknown kind of rule file", "files=0; see --help")
                .contains("check-rules: unknown option '--strict': see --help");
    }

    private int check(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return run(file.toString());
    }

    private int run(String... args) {
        return CheckRules.run(args, new PrintStream(out), new PrintStream(err));
    }
}
