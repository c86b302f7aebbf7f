package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * That records are JSON or logfmt: values are redacted within their fields, so that a record is of its format
 * afterwards, rules may be bound to fields, and fields may be left out. Immutable. See docs/rules.md.
 *
 * <p>A path is names with dots between them, as {@code user.email}; {@code $.} before it means nothing. {@code *} is
 * any one name, {@code **} is any names, also none. Elements of an array have the array's path, and a name with dots in it counts as
 * several.
 */
@PublicEvolving
public final class Structure implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What records are. */
    public enum Format {
        /** An object or array of RFC 8259. */
        JSON,
        /** {@code key=value key="quoted value"}. */
        LOGFMT
    }

    private final Format format;
    private final Map<String, List<String>> bound;
    private final List<String> dropped;
    private final List<String> kept;

    private Structure(
            Format format,
            Map<String, List<String>> bound,
            List<String> dropped,
            List<String> kept) {
        this.format = format;
        this.bound = bound;
        this.dropped = dropped;
        this.kept = kept;
    }

    /** Records are of a format; no rule is bound and no field left out. */
    public static Structure of(Format format) {
        Objects.requireNonNull(format, "format");
        return new Structure(format, Map.of(), List.of(), List.of());
    }

    /** Records are JSON. */
    public static Structure json() {
        return of(Format.JSON);
    }

    /** Records are logfmt. */
    public static Structure logfmt() {
        return of(Format.LOGFMT);
    }

    /**
     * The same, with a rule that looks at some fields only, each a text of its own.
     *
     * @param rule its name; bound to these paths in place of those before
     * @throws IllegalArgumentException if there is no path, or one is not well-formed
     */
    public Structure bind(String rule, String... paths) {
        return bind(rule, Arrays.asList(paths));
    }

    /** The same for a list of paths. */
    public Structure bind(String rule, List<String> paths) {
        if (paths.isEmpty()) {
            throw Errors.argument(
                    "a rule is bound to at least one path: rule='%s'; name a field", rule);
        }
        Map<String, List<String>> all = new LinkedHashMap<>(bound);
        all.put(rule, checked(List.of(), paths));
        return new Structure(format, all, dropped, kept);
    }

    /**
     * The same, which leaves out the fields of these paths too, with all that is in them.
     *
     * @throws IllegalArgumentException if a path is not well-formed
     */
    public Structure drop(String... paths) {
        return new Structure(format, bound, checked(dropped, Arrays.asList(paths)), kept);
    }

    /**
     * The same, which leaves out all but the fields of these paths, and those named before, with all that is in them.
     *
     * @throws IllegalArgumentException if a path is not well-formed
     */
    public Structure keepOnly(String... paths) {
        return new Structure(format, bound, dropped, checked(kept, Arrays.asList(paths)));
    }

    /** The same, with the bindings of these rules only. */
    Structure boundTo(Set<String> rules) {
        Map<String, List<String>> left = new LinkedHashMap<>(bound);
        left.keySet().retainAll(rules);
        return new Structure(format, left, dropped, kept);
    }

    private static List<String> checked(List<String> before, List<String> paths) {
        List<String> all = new ArrayList<>(before);
        for (String path : paths) {
            List<String> names = names(path);
            if (names.isEmpty() || names.contains("") || names.size() > 60) {
                throw Errors.argument(
                        "a path is 1 to 60 names with dots between them: path='%s'; write for example"
                                + " $.user.email",
                        path);
            }
            all.add(path);
        }
        return List.copyOf(all);
    }

    /** The names of a path. */
    public static List<String> names(String path) {
        String names = Errors.present("path", path).startsWith("$.") ? path.substring(2) : path;
        return Arrays.asList(names.split("\\.", -1));
    }

    /** What records are. */
    public Format format() {
        return format;
    }

    /** The paths of each rule that is bound, by its name. */
    public Map<String, List<String>> bound() {
        return Collections.unmodifiableMap(bound);
    }

    /** The paths of fields that are left out. */
    public List<String> dropped() {
        return dropped;
    }

    /** The paths of the only fields that stay; empty if all do that are not dropped. */
    public List<String> kept() {
        return kept;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Structure that
                && format == that.format
                && bound.equals(that.bound)
                && dropped.equals(that.dropped)
                && kept.equals(that.kept);
    }

    @Override
    public int hashCode() {
        return Objects.hash(format, bound, dropped, kept);
    }

    @Override
    public String toString() {
        return "Structure["
                + format
                + ", bound="
                + bound
                + ", dropped="
                + dropped
                + ", kept="
                + kept
                + "]";
    }
}
