package io.flinkgpu.rules;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A YAML document as a tree that knows its lines. Aliases, tags, further documents and deep nesting are
 * errors, so the tree is never larger than its text and holds nothing but texts, lists and maps.
 */
sealed interface YamlNode {

    /** The deepest nesting accepted; a rule file needs 5. */
    int MAX_DEPTH = 10;

    /** The line it starts at, counted from 1. */
    int line();

    /** What it is, for error messages. */
    String describe();

    /**
     * A scalar. Plain ones, without quotes, may stand for a number, a boolean or nothing.
     *
     * @param cut whether it is plain and a comment follows on its line, which may have been meant as text
     */
    record Text(int line, String value, boolean plain, boolean cut) implements YamlNode {

        /** Whether it stands for nothing: {@code key:}, {@code ~} or {@code null}. */
        boolean isNull() {
            return plain && (value.isEmpty() || value.equals("~") || value.equals("null"));
        }

        @Override
        public String describe() {
            return isNull() ? "nothing" : Problems.show(value);
        }
    }

    /** A list. */
    record Items(int line, List<YamlNode> nodes) implements YamlNode {

        @Override
        public String describe() {
            return "a list";
        }
    }

    /** A map with its keys in the order of the text, perhaps one of them twice. */
    record Fields(int line, List<Field> fields) implements YamlNode {

        @Override
        public String describe() {
            return "a map";
        }
    }

    /** A key and its value. */
    record Field(Text key, YamlNode value) {}

    /**
     * Reads a document.
     *
     * @return the root, or null if there is none
     * @throws io.flinkgpu.api.RuleException if the text is not YAML
     */
    static YamlNode parse(String text, Problems problems) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(Math.max(1, text.length())).build();
        try {
            return new Builder(text, problems)
                    .build(new Parse(settings).parseString(text).iterator());
        } catch (YamlVersionException e) {
            throw problems.fail(
                    0,
                    "YAML version "
                            + e.getSpecVersion().getMajor()
                            + "."
                            + e.getSpecVersion().getMinor()
                            + " is not supported; write '%YAML 1.2' or remove the line");
        } catch (MarkedYamlEngineException e) {
            throw problems.fail(
                    lineOf(e.getProblemMark()),
                    "not valid YAML: " + oneLine(e.getProblem()) + "; correct the syntax");
        } catch (YamlEngineException e) {
            throw problems.fail(
                    0, "not valid YAML: " + oneLine(e.getMessage()) + "; correct the syntax");
        }
    }

    private static int lineOf(Optional<Mark> mark) {
        return mark.map(m -> m.getLine() + 1).orElse(0);
    }

    private static String oneLine(String message) {
        return String.valueOf(message).replaceAll("\\s+", " ");
    }

    /** Builds the tree from the parser's events. */
    final class Builder {

        private final int[] codePoints;
        private final Problems problems;
        private final Deque<List<YamlNode>> open = new ArrayDeque<>();
        private final Deque<CollectionStartEvent> starts = new ArrayDeque<>();

        Builder(String text, Problems problems) {
            this.codePoints = text.codePoints().toArray();
            this.problems = problems;
        }

        private YamlNode build(Iterator<Event> events) {
            open.push(new ArrayList<>());
            int documents = 0;
            while (events.hasNext()) {
                Event event = events.next();
                if (event instanceof DocumentStartEvent && ++documents > 1) {
                    throw problems.fail(
                            lineOf(event.getStartMark()),
                            "a rule file is one YAML document; put the second into its own file");
                }
                accept(event);
            }
            List<YamlNode> roots = open.pop();
            return roots.isEmpty() ? null : roots.get(0);
        }

        private void accept(Event event) {
            int line = lineOf(event.getStartMark());
            if (event instanceof ScalarEvent scalar) {
                refuseTag(line, scalar.getTag());
                open.element().add(text(line, scalar));
            } else if (event instanceof AliasEvent alias) {
                problems.add(
                        line,
                        "alias '*" + alias.getAlias() + "' is not supported; repeat the value");
                open.element().add(new Text(line, "alias", false, false));
            } else if (event instanceof CollectionStartEvent start) {
                refuseTag(line, start.getTag());
                if (starts.size() == MAX_DEPTH) {
                    throw problems.fail(
                            line, "nested deeper than " + MAX_DEPTH + " levels; flatten it");
                }
                starts.push(start);
                open.push(new ArrayList<>());
            } else if (event instanceof CollectionEndEvent) {
                List<YamlNode> children = open.pop();
                open.element().add(collection(starts.pop(), children));
            }
        }

        private Text text(int line, ScalarEvent scalar) {
            boolean cut =
                    scalar.isPlain() && scalar.getEndMark().filter(this::isAtComment).isPresent();
            return new Text(line, scalar.getValue(), scalar.isPlain(), cut);
        }

        private boolean isAtComment(Mark mark) {
            int at = mark.getIndex();
            while (at < codePoints.length && (codePoints[at] == ' ' || codePoints[at] == '\t')) {
                at++;
            }
            return at < codePoints.length && codePoints[at] == '#';
        }

        private YamlNode collection(CollectionStartEvent start, List<YamlNode> children) {
            int line = lineOf(start.getStartMark());
            if (!(start instanceof MappingStartEvent)) {
                return new Items(line, children);
            }
            List<Field> fields = new ArrayList<>();
            for (int i = 0; i < children.size(); i += 2) {
                if (children.get(i) instanceof Text key) {
                    fields.add(new Field(key, children.get(i + 1)));
                } else {
                    problems.add(children.get(i).line(), "a key must be a text; write one");
                }
            }
            return new Fields(line, fields);
        }

        private void refuseTag(int line, Optional<String> tag) {
            tag.ifPresent(
                    t ->
                            problems.add(
                                    line,
                                    "tag " + Problems.show(t) + " is not supported; remove it"));
        }
    }
}
