package io.flinkgpu.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Reads rule sets from files in the formats described in docs/rules.md: YAML ({@code .yaml}, {@code
 * .yml}) and TSV ({@code .tsv}), both UTF-8.
 *
 * <p>Regular expressions are checked when the rule set is compiled.
 */
@PublicEvolving
public final class RuleFiles {

    /** The largest file accepted, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private RuleFiles() {}

    /**
     * Reads a rule file.
     *
     * @throws RuleException with every error in the file, or that it cannot be read
     */
    public static RuleSet read(Path file) {
        Errors.present("file", file);
        Problems problems = new Problems(file.toString());
        return parse(file.toString(), readText(file, problems));
    }

    /**
     * The names of those rules of a file that are not in its set, as they are below the {@code confidence} that it asks
     * for. In the order of the set.
     *
     * @throws RuleException as {@link #read} does
     */
    public static List<String> leftOut(Path file) {
        Problems problems = new Problems(Errors.present("file", file).toString());
        String text = withoutMark(readText(file, problems));
        YamlRules reader = new YamlRules(problems);
        if (isYaml(file.toString())) {
            reader.read(text);
        } else {
            parse(file.toString(), text);
        }
        return reader.leftOut();
    }

    private static boolean isYaml(String fileName) {
        String lowerCase = fileName.toLowerCase(Locale.ROOT);
        return lowerCase.endsWith(".yaml") || lowerCase.endsWith(".yml");
    }

    /** A text without the byte order mark that some editors write. */
    static String withoutMark(String text) {
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /** The text of a regular file in UTF-8. */
    static String readText(Path file, Problems problems) {
        byte[] bytes;
        try {
            if (Files.isDirectory(file)) {
                throw problems.fail(0, "is a directory; name a .yaml, .yml or .tsv file");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw problems.fail(
                        0, "is not a regular file; copy the rules to a .yaml, .yml or .tsv file");
            }
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES + 1);
            }
            if (bytes.length > MAX_BYTES) {
                throw problems.fail(
                        0,
                        "has more than "
                                + MAX_BYTES
                                + " bytes; a rule file lists at most "
                                + RuleSet.MAX_RULES
                                + " rules");
            }
        } catch (NoSuchFileException e) {
            throw problems.fail(0, "no such file; check the path");
        } catch (IOException e) {
            throw problems.fail(
                    0,
                    "cannot be read (" + e.getClass().getSimpleName() + "); make it readable here");
        }
        return decode(bytes, problems);
    }

    /**
     * Reads rules that are already in memory.
     *
     * @param fileName its suffix says the format; it stands in errors
     * @throws RuleException with every error in the text
     */
    public static RuleSet parse(String fileName, String text) {
        Errors.present("fileName", fileName);
        Errors.present("text", text);
        Problems problems = new Problems(fileName);
        String content = withoutMark(text);
        RuleSet rules;
        if (isYaml(fileName)) {
            rules = new YamlRules(problems).read(content);
        } else if (fileName.toLowerCase(Locale.ROOT).endsWith(".tsv")) {
            rules = new TsvRules(problems).read(content);
        } else {
            throw problems.fail(
                    0, "unknown kind of rule file; end its name in .yaml, .yml or .tsv");
        }
        return rules;
    }

    private static String decode(byte[] bytes, Problems problems) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(rest).toString();
        } catch (CharacterCodingException e) {
            int line = 1;
            for (int i = 0; i < rest.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            throw problems.fail(line, "is not UTF-8; save the file as UTF-8");
        }
    }

    /** Checks on the rules together, then makes the set. */
    static RuleSet toRuleSet(List<LocatedRule> rules, Problems problems) {
        LocatedRule.checkTogether(rules, problems);
        problems.throwIfAny();
        return RuleSet.of(rules.stream().map(LocatedRule::rule).toList());
    }
}
