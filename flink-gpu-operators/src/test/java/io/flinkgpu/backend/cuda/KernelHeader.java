package io.flinkgpu.backend.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The constants and the structs of a kernel header, read as text. Where the fields of a struct are is
 * computed as C++ does it for a standard layout on a machine of 64 bits.
 *
 * @throws AssertionError from the constructor for what it cannot read, and for a struct whose size is
 *     not what its {@code static_assert} says
 */
final class KernelHeader {

    private static final Path INCLUDE = Path.of("..", "kernels", "include");
    private static final Pattern CONSTANT =
            Pattern.compile("(?m)^inline constexpr uint32_t (\\w+)\\s*=\\s*(\\d+);");
    private static final Pattern STRUCT =
            Pattern.compile(
                    "(?ms)^struct (?:alignas\\((\\d+)\\) )?(\\w+) \\{\\n(.*?)^\\};\\n"
                            + "(?:static_assert\\(sizeof\\((\\w+)\\) == (\\d+)\\);)?");
    private static final Pattern FIELD =
            Pattern.compile("(const )?(\\w+)(\\*?) (\\w+)(?:\\[([^\\]]+)\\])?;(?: *// (.*))?");
    private static final Pattern SCALAR = Pattern.compile("u?int(8|16|32|64)_t");
    private static final int POINTER_BYTES = 8;

    /** A struct: where the fields are that Java knows, by name, and what a field of it takes. */
    record Struct(Map<String, Integer> offsets, int bytes, int alignment) {}

    private final Map<String, Integer> constants = new TreeMap<>();
    private final Map<String, Struct> structs = new LinkedHashMap<>();

    static KernelHeader read(String header) throws Exception {
        return new KernelHeader(Files.readString(INCLUDE.resolve(header)));
    }

    KernelHeader(String text) {
        Matcher constant = CONSTANT.matcher(text);
        while (constant.find()) {
            constants.put(constant.group(1), Integer.parseInt(constant.group(2)));
        }
        Matcher struct = STRUCT.matcher(text);
        while (struct.find()) {
            String name = struct.group(2);
            String least = struct.group(1);
            Struct layout = layOut(struct.group(3), least == null ? 1 : Integer.parseInt(least));
            if (!name.equals(struct.group(4))
                    || layout.bytes() != Integer.parseInt(struct.group(5))) {
                throw new AssertionError(
                        name + ": no static_assert after it that its size is " + layout.bytes());
            }
            structs.put(name, layout);
        }
        if (structs.size() != text.lines().filter(line -> line.startsWith("struct ")).count()) {
            throw new AssertionError(
                    "a struct is not as the others: only read " + structs.keySet());
        }
    }

    /**
     * What Java calls all of it: constants by their names; of a struct each field and the size.
     *
     * @param prefixes what names of a struct's fields begin with, where that is not its own name
     * @param names of fields, as {@code struct.field}, and of sizes, where they are not the prefix
     *     and the field's name or {@code BYTES}
     */
    Map<String, Integer> javaNames(Map<String, String> prefixes, Map<String, String> names) {
        Map<String, Integer> all = new TreeMap<>();
        constants.forEach((name, value) -> all.put(name.toUpperCase(Locale.ROOT), value));
        structs.forEach(
                (struct, layout) -> {
                    String prefix = prefixes.getOrDefault(struct, struct) + "_";
                    layout.offsets()
                            .forEach(
                                    (field, at) ->
                                            put(
                                                    all,
                                                    names,
                                                    struct + "." + field,
                                                    prefix + field,
                                                    at));
                    put(all, names, struct + ".bytes", prefix + "bytes", layout.bytes());
                });
        return all;
    }

    private static void put(
            Map<String, Integer> all,
            Map<String, String> names,
            String field,
            String plain,
            int value) {
        String name = names.getOrDefault(field, plain).toUpperCase(Locale.ROOT);
        if (all.put(name, value) != null) {
            throw new AssertionError(name + " stands for two numbers");
        }
    }

    private Struct layOut(String fields, int leastAlignment) {
        Map<String, Integer> offsets = new LinkedHashMap<>();
        int at = 0;
        int alignment = leastAlignment;
        for (String line : fields.split("\n")) {
            Matcher field = FIELD.matcher(line.strip());
            if (line.strip().startsWith("//")) {
                continue;
            }
            if (!field.matches()) {
                throw new AssertionError("no field: " + line);
            }
            boolean pointer = !field.group(3).isEmpty();
            Struct type = pointer ? scalar(POINTER_BYTES) : type(field.group(2));
            at = align(at, type.alignment());
            alignment = Math.max(alignment, type.alignment());
            String comment = field.group(6) == null ? "" : field.group(6);
            if (!field.group(4).equals("reserved") && !comment.startsWith("the kernel's own")) {
                offsets.put(field.group(4), at);
            }
            at += type.bytes() * (field.group(5) == null ? 1 : count(field.group(5)));
        }
        return new Struct(offsets, align(at, alignment), alignment);
    }

    private Struct type(String name) {
        Matcher scalar = SCALAR.matcher(name);
        if (scalar.matches()) {
            return scalar(Integer.parseInt(scalar.group(1)) / Byte.SIZE);
        }
        Struct struct = structs.get(name);
        if (struct == null) {
            throw new AssertionError("unknown type: " + name);
        }
        return struct;
    }

    private static Struct scalar(int bytes) {
        return new Struct(Map.of(), bytes, bytes);
    }

    /** A sum of numbers and constants. */
    private int count(String sum) {
        int count = 0;
        for (String term : sum.split(" \\+ ")) {
            Integer value = constants.get(term);
            count += value != null ? value : Integer.parseInt(term);
        }
        return count;
    }

    private static int align(int at, int alignment) {
        return (at + alignment - 1) / alignment * alignment;
    }
}
