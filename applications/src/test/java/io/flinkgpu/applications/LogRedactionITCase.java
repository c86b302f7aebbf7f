package io.flinkgpu.applications;

import io.flinkgpu.api.Rule;
import io.flinkgpu.rules.DefaultRules;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole example on an embedded Flink.
 *
 * <p>Covers: LogRedaction, FakeSecrets, RedactionJob.
 */
class LogRedactionITCase {

    private static final long SEED = 42;

    @TempDir private Path folder;
    private Path rules;
    private Path output;

    @BeforeEach
    void prepare() throws IOException {
        rules = Files.writeString(folder.resolve("rules.tsv"), Expected.RULES_TSV);
        output = folder.resolve("out dir");
    }

    @Test
    void parallelismOneKeepsOrderAndEveryByteOutsideMatches() throws IOException {
        byte[] input = trickyLog(new Random(SEED), false);
        Path log = Files.write(folder.resolve("tricky %41 ü.log"), input);
        Cli run = redact(1, log);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(parts()).hasSize(1);
        assertThat(Files.readAllBytes(parts().get(0))).isEqualTo(Expected.redact(input));
        assertThat(run.out()).contains("Matches per rule");
        assertThat(run.out().get(run.out().size() - 1))
                .matches("[0-9,]+ rows, .* MB in .* s: .* \\(backend cpu, parallelism 1\\)");
    }

    /** Of a pack only what is named is left out, and lines of a record are one text. */
    @Test
    void aPackAndRecordsOfSeveralLines() throws IOException {
        Path pack =
                Files.writeString(
                        folder.resolve("pack.toml"),
                        """
                        [[rules]]
                        id = 'key'
                        regex = '(?s)BEGIN.{1,20}END'
                        [[rules]]
                        id = 'twice'
                        regex = '(a)\\1'
                        """);
        Path log = Files.writeString(folder.resolve("a.log"), "at 1 BEGIN\nx\nEND\nat 2 BEGIN\n");
        Cli refused =
                Cli.run("--input", log, "--output", output, "--rules", pack, "--parallelism", 1);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(String.join("\n", refused.err())).contains("rule 'twice' (#2)");
        Cli bad = Cli.run("--input", log, "--output", output, "--start-of-record", "a*(b");
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).hasSize(1);
        Cli run =
                Cli.run(
                        "--input",
                        log,
                        "--output",
                        output,
                        "--rules",
                        pack,
                        "--without",
                        "twice",
                        "--start-of-record",
                        "at \\d",
                        "--parallelism",
                        1);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(parts().get(0)).hasContent("at 1 [KEY]\nat 2 BEGIN\n");
    }

    @Test
    void filesOfADirectoryComeSortedAndDoNotRunIntoEachOther() throws IOException {
        Path logs = Files.createDirectories(folder.resolve("logs/deep"));
        Files.writeString(logs.resolve("b.log"), "two secret=abc");
        Files.writeString(logs.resolveSibling("a.log"), "one\r\nlast of a");
        Files.createFile(logs.resolveSibling("c-empty.log"));
        Files.writeString(logs.resolveSibling("z.log"), "three\n");
        Cli run = redact(1, logs.getParent());
        assertThat(run.code()).isZero();
        assertThat(parts()).hasSize(1);
        assertThat(parts().get(0)).hasContent("one\r\nlast of a\ntwo [SECRET]\nthree\n");
    }

    @Test
    void aReportTellsFilesApartWhateverTheirLinesAre() throws IOException {
        rules =
                Files.writeString(
                        folder.resolve("rules.yaml"),
                        "rules:\n"
                                + "  - {name: key, regex: 'K\\d+', label: '[K]'}\n"
                                + "  - {name: bound, regex: '(?s).+', label: '[B]', fields: [b]}\n"
                                + "structure: {format: json, drop: [x]}\n");
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Files.writeString(logs.resolve("one.log"), "{\"a\":\"K1\",\"x\":1}\n");
        Files.writeString(logs.resolve("K2.log"), "{\"b\":\"me\"}\n");
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef");
        Path report = folder.resolve("report");
        Cli run =
                Cli.run(
                        "--input",
                        logs,
                        "--output",
                        output,
                        "--rules",
                        rules,
                        "--backend",
                        "cpu",
                        "--parallelism",
                        1,
                        "--hash-key-file",
                        key,
                        "--report",
                        report);
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(parts().get(0)).hasContent("{\"b\":\"[B]\"}\n{\"a\":\"[K]\"}\n");
        assertThat(folder.resolve("report.json"))
                .content()
                .contains("one.log\": 1")
                .contains("[K].log\": 1")
                .doesNotContain("MALFORMED");
        assertThat(folder.resolve("report.html")).content().contains("one.log").contains("<svg");
    }

    @Test
    void aHiddenFileThatIsNamedIsRead() throws IOException {
        Path hidden = Files.writeString(folder.resolve("_app.log"), "x secret=abc\n");
        assertThat(redact(1, hidden).code()).isZero();
        assertThat(parts().get(0)).hasContent("x [SECRET]\n");
    }

    @Test
    void parallelismTwoGivesTheSameLinesEachWithItsEnd() throws IOException {
        List<String> expected = new ArrayList<>();
        Path logs = Files.createDirectory(folder.resolve("logs"));
        for (int i = 0; i < 6; i++) {
            byte[] terminated = trickyLog(new Random(SEED + i), true);
            int missing = i % 2;
            Files.write(
                    logs.resolve(i + ".log"),
                    Arrays.copyOf(terminated, terminated.length - missing));
            expected.addAll(lines(Expected.redact(terminated)));
        }
        Cli run = redact(2, logs);
        assertThat(run.code()).isZero();
        List<String> actual = new ArrayList<>();
        for (Path part : parts()) {
            actual.addAll(lines(Files.readAllBytes(part)));
        }
        // Sorted, as AssertJ compares unordered lists in quadratic time.
        Collections.sort(actual);
        Collections.sort(expected);
        assertThat(actual.equals(expected)).isTrue();
    }

    @Test
    void emptyInputGivesEmptyOutput() throws IOException {
        Cli run = redact(1, Files.createFile(folder.resolve("empty.log")));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out().get(run.out().size() - 1)).startsWith("0 rows, 0.0 MB in ");
        assertThat(output).isEmptyDirectory();
    }

    @Test
    void sampleHoldsEveryKindOfSecret() {
        Cli run =
                Cli.runOn(
                        true,
                        "--sample-mb",
                        2,
                        "--output",
                        output,
                        "--backend",
                        "cpu",
                        "--parallelism",
                        2,
                        "--preview");
        assertThat(run.code()).isZero();
        for (Rule rule : DefaultRules.get().rules()) {
            assertThat(run.out())
                    .anyMatch(line -> line.matches("  " + rule.name() + " +[1-9][0-9,]*"));
        }
        assertThat(run.out().stream().filter(line -> line.startsWith("  - "))).hasSize(8);
        assertThat(run.out().stream().filter(line -> line.startsWith("  + "))).hasSize(8);
        assertThat(run.err())
                .isNotEmpty()
                .allMatch(line -> line.isEmpty() || line.startsWith("\u001b[K"));
    }

    @Test
    void hashRulesUseTheKeyOfTheFile() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef\n");
        Path hashRules =
                Files.writeString(
                        folder.resolve("rules.yaml"),
                        """
                        rules:
                          - name: user
                            regex: 'user-[0-9]+'
                            hash: {prefix: '[', hexDigits: 64, suffix: ']'}
                        """);
        Path log = Files.writeString(folder.resolve("a.log"), "by user-17, late\n");
        Cli run =
                Cli.run(
                        "--input",
                        log,
                        "--output",
                        output,
                        "--rules",
                        hashRules,
                        "--backend",
                        "cpu",
                        "--hash-key-file",
                        key,
                        "--parallelism",
                        1,
                        "--preview");
        assertThat(run.code()).isZero();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Expected.bytes("0123456789abcdef"), "HmacSHA256"));
        String hash = HexFormat.of().formatHex(mac.doFinal(Expected.bytes("user-17")));
        assertThat(parts().get(0)).hasContent("by [" + hash + "], late\n");
        assertThat(run.out()).contains("  + by [" + hash + "], late");
    }

    @Test
    void nothingOfTheInputIsPrintedUnlessAskedFor() throws IOException {
        Path log = Files.writeString(folder.resolve("a.log"), "x secret=abcdef\n");
        Cli run = Cli.run("--input", log, "--output", output, "--rules", rules);
        assertThat(run.code()).isZero();
        assertThat(run.out()).noneMatch(line -> line.contains("abcdef"));
        assertThat(run.err()).noneMatch(line -> line.contains("abcdef"));
    }

    @Test
    void jobThatFailsSaysWhyInOneLine() throws IOException {
        Path log = Files.writeString(folder.resolve("a.log"), "x\n");
        // The longest name of a file on common file systems has 255 bytes.
        Path unmakeable = folder.resolve("x".repeat(300));
        Cli run = Cli.run("--input", log, "--output", unmakeable, "--backend", "cpu");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).hasSize(1);
        assertThat(run.err().get(0)).startsWith("log-redaction: the job failed: ");
    }

    @Test
    void rulesThatCannotMatchAreRefused() throws IOException {
        Path log = Files.writeString(folder.resolve("a.log"), "xyz\n");
        Files.writeString(rules, "all\tx\t[1]\nnever\txy\t[2]\n");
        Cli run = redact(1, log);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).hasSize(2);
        assertThat(run.err().get(0))
                .startsWith("log-redaction: Redaction rule 'never' (#2)")
                .contains("it can never match");
    }

    @Test
    void rulesThatSayWhatIsHardlyMeantAreWarnedOf() throws IOException {
        Path log = Files.writeString(folder.resolve("a.log"), "xyz\n");
        Files.writeString(rules, "lazy\txy*?\t[1]\n");
        Cli run = redact(1, log);
        assertThat(run.code()).isZero();
        assertThat(run.err()).hasSize(1);
        assertThat(run.err().get(0))
                .startsWith("log-redaction: warning: Redaction rule 'lazy':")
                .contains("it ends in a lazy repeat");
        assertThat(parts().get(0)).hasContent("[1]yz\n");
    }

    @Test
    void linesOfAPrivateKeyAreFound() throws IOException {
        String[] key = new FakeSecrets(SEED).privateKeyLines();
        Path log =
                Files.writeString(
                        folder.resolve("a.log"),
                        "key:\n" + String.join("\n", key) + "\n" + key[1] + "\r\nend\n");
        Cli run =
                Cli.run("--input", log, "--output", output, "--backend", "cpu", "--parallelism", 1);
        assertThat(run.code()).isZero();
        assertThat(Files.readString(parts().get(0)))
                .isEqualTo("key:\n" + "[PRIVATE_KEY]\n".repeat(3) + "[PRIVATE_KEY]\r\nend\n");
    }

    private Cli redact(int parallelism, Path input) {
        return Cli.run(
                "--input",
                input,
                "--output",
                output,
                "--rules",
                rules,
                "--backend",
                "cpu",
                "--parallelism",
                parallelism);
    }

    private List<Path> parts() throws IOException {
        if (!Files.exists(output)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(output)) {
            return files.sorted().toList();
        }
    }

    /** The lines as ISO 8859-1, each with its {@code \n}. */
    private static List<String> lines(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\n)"));
    }

    /** CRLF and bare CR, empty lines, NUL, invalid UTF-8, a line of 1 MiB and matches everywhere. */
    private static byte[] trickyLog(Random random, boolean endsWithNewline) {
        List<byte[]> lines = new ArrayList<>();
        lines.add(Expected.bytes("secret=first\r\n"));
        lines.add(Expected.bytes("\n"));
        lines.add(Expected.bytes("\r\n\n"));
        lines.add(
                new byte[] {(byte) 0xff, 's', 'e', 'c', 'r', 'e', 't', '=', 'a', (byte) 0xc3, 10});
        lines.add(Expected.bytes("a\u0000b secret=x\u0000y\rsecret=z\n"));
        byte[] longLine = new byte[1 << 20];
        Arrays.fill(longLine, (byte) 'e');
        System.arraycopy(Expected.bytes("secret=long "), 0, longLine, 1 << 19, 12);
        longLine[longLine.length - 1] = '\n';
        lines.add(longLine);
        for (int i = 0; i < 60_000; i++) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            lines.add(noise);
            lines.add(Expected.bytes(" secret=" + (char) ('a' + random.nextInt(26)) + "secret=q "));
            lines.add(Expected.bytes(random.nextBoolean() ? "\n" : "\r\n"));
        }
        lines.add(Expected.bytes("end secret=last" + (endsWithNewline ? "\n" : "")));
        int length = lines.stream().mapToInt(line -> line.length).sum();
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] line : lines) {
            System.arraycopy(line, 0, all, at, line.length);
            at += line.length;
        }
        return all;
    }
}
