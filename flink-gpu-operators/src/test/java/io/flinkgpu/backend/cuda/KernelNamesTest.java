package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots name their kernels, which the driver looks for when the first batch comes: each name is that of a
 * kernel, and each kernel is named.
 *
 * <p>Covers: Kernel.
 */
class KernelNamesTest {

    private static final Pattern ASKED_FOR = Pattern.compile("\\bkernel\\(\"(\\w+)\"");
    private static final Pattern KERNEL =
            Pattern.compile(
                    "extern \"C\" __global__ void\\s+(?:__launch_bounds__\\([^)]*\\)\\s+)?(\\w+)\\(");

    /** An enum whose constants name kernels, and the prefix of their names. */
    private static final Pattern OF_ENUM =
            Pattern.compile("\\bkernels\\(\\s*(\\w+)\\.class,\\s*\"(\\w+)\"");

    private static final Path JAVA = Path.of("src/main/java");

    @Test
    void javaNamesTheKernelsThereAre() throws Exception {
        Set<String> kernels = found(KERNEL, Path.of("../kernels/src"), ".cu");
        assertThat(kernels).contains("redact_find", "lines_result", "transform");
        Path cuda = JAVA.resolve("io/flinkgpu/backend/cuda");
        Set<String> named = found(ASKED_FOR, cuda, ".java");
        for (Path file : files(cuda, ".java")) {
            Matcher matcher = OF_ENUM.matcher(Files.readString(file));
            while (matcher.find()) {
                for (Object kernel : constants(cuda, matcher.group(1))) {
                    named.add(matcher.group(2) + kernel.toString().toLowerCase(Locale.ROOT));
                }
            }
        }
        assertThat(named).isEqualTo(kernels);
    }

    private static Object[] constants(Path folder, String name)
            throws IOException, ClassNotFoundException {
        List<Path> files = files(folder, "/" + name + ".java");
        assertThat(files).as(name).hasSize(1);
        String path = JAVA.relativize(files.get(0)).toString();
        String type = path.substring(0, path.length() - ".java".length()).replace('/', '.');
        return Class.forName(type).getEnumConstants();
    }

    private static Set<String> found(Pattern pattern, Path folder, String suffix)
            throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : files(folder, suffix)) {
            Matcher matcher = pattern.matcher(Files.readString(file));
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }
}
