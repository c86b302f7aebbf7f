package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.RowRedactor;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * gitleaks as an oracle: its rules, and the examples in their source that each must and must not find, read from a clone of its
 * repository in {@code -Dgitleaks.repository}. Nothing of it is copied here. gitleaks itself finds all of the first and none of
 * the second, or its build fails.
 *
 * <p>Covers: RulePack.
 */
@Tag("gitleaks")
class GitleaksExamplesTest {

    private static final long SEED = Long.getLong("seed", 20_261_127);
    private static final String RULES = "cmd/generate/config/rules/";
    private static final byte[] NO_KEY = {};

    /**
     * The examples of a rule.
     *
     * @param byPath whether what must not be found is told apart by the file that it is in
     */
    private record Examples(List<String> found, List<String> left, boolean byPath) {}

    private final Map<String, Examples> examples = new TreeMap<>();
    private final TreeSet<String> unread = new TreeSet<>();

    @Test
    void findsWhatGitleaksFindsAndNoMore() throws Exception {
        Map<String, String> files = repository();
        read(files);
        RulePack pack = RulePack.parse("gitleaks.toml", files.get("config/gitleaks.toml"));
        int found = 0;
        int wanted = 0;
        int falseOnes = 0;
        int left = 0;
        int byPath = 0;
        List<String> refused = new ArrayList<>();
        List<String> differing = new ArrayList<>();
        for (Rule rule : pack.rules()) {
            Examples of = examples.remove(rule.name());
            if (of == null) {
                unread.add(rule.name());
                continue;
            }
            RowRedactor redactor;
            try {
                redactor = new RowRedactor(RuleCompiler.compile(RuleSet.of(rule)), NO_KEY);
            } catch (RuleException e) {
                refused.add(rule.name());
                wanted += of.found().size();
                continue;
            }
            for (String text : of.found()) {
                wanted++;
                boolean is = changes(redactor, text);
                found += is ? 1 : 0;
                if (!is) {
                    differing.add("not found, " + rule.name() + ": " + text);
                }
            }
            for (String text : of.left()) {
                boolean is = changes(redactor, text);
                byPath += of.byPath() ? 1 : 0;
                left += of.byPath() ? 0 : 1;
                falseOnes += is && !of.byPath() ? 1 : 0;
                if (is && !of.byPath()) {
                    differing.add("found, " + rule.name() + ": " + text);
                }
            }
        }
        String summary =
                String.format(
                        "seed=%d rules=%d found=%d/%d false=%d/%d leftOutByPath=%d refused=%s unread=%s",
                        SEED,
                        pack.rules().size(),
                        found,
                        wanted,
                        falseOnes,
                        left,
                        byPath,
                        refused,
                        unread);
        System.out.println(summary);
        differing.forEach(System.out::println);
        assertThat(wanted).as(summary).isGreaterThan(4000);
        assertThat(found).as(summary).isGreaterThanOrEqualTo((int) Math.ceil(0.99 * wanted));
        assertThat(refused).as(summary).isEmpty();
        assertThat(falseOnes).as(summary).isZero();
    }

    private static boolean changes(RowRedactor redactor, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        redactor.redact(bytes, bytes.length, new long[DefaultRules.all().size()]);
        return redactor.changed();
    }

    private void read(Map<String, String> files) {
        GoTexts texts = new GoTexts(new Random(SEED));
        List<String> all = new ArrayList<>();
        files.forEach(
                (name, text) -> {
                    if (name.endsWith(".go")) {
                        List<String> tokens = GoTokens.of(text);
                        texts.define(tokens);
                        if (name.startsWith(RULES)) {
                            all.addAll(tokens);
                        }
                    }
                });
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).equals("func")) {
                int end = i + 1;
                while (end < all.size() && !all.get(end).equals("func")) {
                    end++;
                }
                readFunction(all.subList(i, end), texts);
            }
        }
    }

    private void readFunction(List<String> tokens, GoTexts texts) {
        Map<String, List<String>> variables = new HashMap<>();
        String rule = null;
        boolean byPath = false;
        boolean isWhole = true;
        for (int i = 1; i + 1 < tokens.size(); i++) {
            String token = tokens.get(i);
            String next = tokens.get(i + 1);
            if (token.equals("RuleID") && next.equals(":") && tokens.get(i + 2).startsWith("\"")) {
                rule = tokens.get(i + 2).substring(1);
            } else if (next.equals(":=") || next.equals("=") && !tokens.get(i + 2).equals("=")) {
                try {
                    variables.put(token, texts.evaluate(tokens, i + 2, variables));
                } catch (GoTexts.OtherException | RuleException e) {
                    isWhole &= !token.equals("tps") && !token.equals("fps");
                }
            }
            byPath |= token.endsWith("ValidateWithPaths");
        }
        if (rule != null && variables.containsKey("tps")) {
            examples.put(
                    rule,
                    new Examples(
                            variables.get("tps"),
                            variables.getOrDefault("fps", List.of()),
                            byPath));
        }
        if (rule != null && !isWhole) {
            unread.add(rule + " (in part)");
        }
    }

    /** The sources that are needed, by path. */
    private static Map<String, String> repository() throws IOException, InterruptedException {
        String repository = System.getProperty("gitleaks.repository");
        assertThat(repository)
                .as("a clone of https://github.com/gitleaks/gitleaks, by -Dgitleaks.repository")
                .isNotBlank();
        Process git =
                new ProcessBuilder(
                                "git",
                                "-C",
                                repository,
                                "archive",
                                "--format=zip",
                                "HEAD",
                                "config/gitleaks.toml",
                                "cmd/generate/config")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Map<String, String> files = new TreeMap<>();
        try (InputStream out = git.getInputStream();
                ZipInputStream zip = new ZipInputStream(out)) {
            for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
                files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
            out.readAllBytes(); // The archive's directory, or git fails as nobody reads it.
        }
        assertThat(git.waitFor()).as("git archive of " + repository).isZero();
        return files;
    }
}
