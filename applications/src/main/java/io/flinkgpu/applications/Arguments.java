package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Form;
import io.flinkgpu.text.Spelling;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command line that is read option by option; what is wrong with it is kept. */
public final class Arguments {

    private static final String SEE_HELP = "see --help";
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    private final String usage;
    private final Deque<String> rest;
    private final List<String> errors = new ArrayList<>();
    private final Set<String> given = new HashSet<>();

    /**
     * What a user typed.
     *
     * @param usage the program's help, which names its options
     */
    public Arguments(String usage, String... args) {
        this.usage = usage;
        rest = new ArrayDeque<>(Arrays.asList(args));
    }

    public boolean hasNext() {
        return !rest.isEmpty();
    }

    /**
     * The next option; {@code --name=value} counts as two arguments.
     *
     * @throws UsageException with the program's help if that is asked for, whatever else is wrong
     */
    public String next() throws UsageException {
        String arg = rest.pop();
        int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
        if (equals > 0) {
            rest.push(arg.substring(equals + 1));
            arg = arg.substring(0, equals);
        }
        if (arg.equals("--help") || arg.equals("-h")) {
            throw UsageException.help(usage);
        }
        return arg;
    }

    /**
     * Ends the reading.
     *
     * @throws UsageException with every error so far
     */
    public void check() throws UsageException {
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
    }

    /** Notes what is wrong, in one line. */
    public void error(String line) {
        errors.add(line);
    }

    /**
     * Notes that an argument is none that the program has.
     *
     * @param remedy what to do about one that is not an option
     */
    public void unknown(String name, String remedy) {
        if (name.startsWith("-")) {
            List<String> known =
                    OPTION.matcher(usage).results().map(MatchResult::group).distinct().toList();
            String hint =
                    Spelling.nearest(name, known)
                            .map(option -> "; did you mean '" + option + "'?")
                            .orElse(": " + SEE_HELP);
            errors.add("unknown option '" + name + "'" + hint);
            if (!rest.isEmpty() && !rest.peek().startsWith("-")) {
                rest.pop();
            }
        } else {
            errors.add("unexpected argument '" + name + "': " + remedy);
        }
    }

    public Optional<Path> path(String name) {
        return value(name).map(Path::of);
    }

    /** A file of an option that may be given more than once. */
    public Optional<Path> oneOfPaths(String name) {
        given.remove(name);
        return path(name);
    }

    /** Any text. */
    public Optional<String> text(String name) {
        return value(name);
    }

    public BackendChoice backend(String name) {
        Optional<String> value = value(name);
        for (BackendChoice choice : BackendChoice.values()) {
            if (value.isEmpty() || value.get().equals(choice.name().toLowerCase(Locale.ROOT))) {
                return choice;
            }
        }
        errors.add("option --backend is auto, cpu or cuda, not '" + value.get() + "': choose one");
        return BackendChoice.AUTO;
    }

    /** Forms with commas between them, or all. */
    public List<Form> forms(String name) {
        String value = value(name).orElse("all");
        List<Form> forms = new ArrayList<>();
        for (String key : value.split(",", -1)) {
            try {
                forms.addAll(key.equals("all") ? List.of(Form.values()) : List.of(Form.ofKey(key)));
            } catch (IllegalArgumentException e) {
                errors.add("option " + name + ": " + e.getMessage());
            }
        }
        return forms;
    }

    /** A port, which may be left out. */
    public int port(String name, int otherwise) {
        boolean given = !rest.isEmpty() && rest.peek().matches("[0-9]+");
        return given ? number(name, 1, 65_535) : otherwise;
    }

    public int number(String name, int min, int max) {
        return (int) longNumber(name, min, max);
    }

    public long longNumber(String name, long min, long max) {
        Optional<String> value = value(name);
        if (value.isEmpty()) {
            return min;
        }
        if (value.get().matches("[0-9]{1,18}")) {
            long number = Long.parseLong(value.get());
            if (number >= min && number <= max) {
                return number;
            }
        }
        errors.add(
                String.format(
                        Locale.ROOT,
                        "option %s is a whole number from %d to %d, not '%s'",
                        name,
                        min,
                        max,
                        value.get()));
        return min;
    }

    /** A number with or without digits after the point. */
    public double decimal(String name, double min, double max) {
        Optional<String> value = value(name);
        if (value.isEmpty()) {
            return min;
        }
        if (DECIMAL.matcher(value.get()).matches()) {
            double number = Double.parseDouble(value.get());
            if (number >= min && number <= max) {
                return number;
            }
        }
        errors.add(
                String.format(
                        Locale.ROOT,
                        "option %s is a number from %s to %s, not '%s'",
                        name,
                        BigDecimal.valueOf(min).stripTrailingZeros().toPlainString(),
                        BigDecimal.valueOf(max).stripTrailingZeros().toPlainString(),
                        value.get()));
        return min;
    }

    /**
     * One of a few words, which are the names of an enum's constants in lower case.
     *
     * @param words the constants, the one to have where none of them is given first
     */
    public <E extends Enum<E>> E word(String name, List<E> words) {
        Optional<String> value = value(name);
        if (value.isEmpty()) {
            return words.get(0);
        }
        for (E word : words) {
            if (value.get().equals(lowerCase(word))) {
                return word;
            }
        }
        String all = words.stream().map(Arguments::lowerCase).collect(Collectors.joining(", "));
        errors.add(
                "option " + name + " is one of " + all + ", not '" + value.get() + "': choose one");
        return words.get(0);
    }

    private static String lowerCase(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /** A duration of at least {@code min} and at most a day. */
    public Duration duration(String name, Duration min) {
        Optional<String> value = value(name);
        if (value.isEmpty()) {
            return min;
        }
        Matcher matcher = DURATION.matcher(value.get());
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            Duration duration =
                    switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofHours(number);
                    };
            if (duration.compareTo(min) >= 0 && duration.compareTo(Duration.ofDays(1)) <= 0) {
                return duration;
            }
        }
        errors.add(
                "option "
                        + name
                        + " is a whole number with its unit, ms, s, m or h, from "
                        + min.toMillis()
                        + "ms to 24h, not '"
                        + value.get()
                        + "'");
        return min;
    }

    private Optional<String> value(String name) {
        if (!given.add(name)) {
            errors.add("option " + name + " is given twice: leave one of them out");
        }
        if (rest.isEmpty() || rest.peek().startsWith("--") || rest.peek().isEmpty()) {
            if (!rest.isEmpty() && rest.peek().isEmpty()) {
                rest.pop();
            }
            errors.add("option " + name + " lacks its value: " + SEE_HELP);
            return Optional.empty();
        }
        return Optional.of(rest.pop());
    }
}
