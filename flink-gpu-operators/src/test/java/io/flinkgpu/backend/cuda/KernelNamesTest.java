package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void javaNamesTheKernelsThereAre() throws IOException {
        Path java = Path.of("src/main/java/io/flinkgpu/backend/cuda");
        Set<String> kernels = found(KERNEL, Path.of("../kernels/src"), ".cu");
        assertThat(kernels).contains("redact_find", "lines_result", "transform");
        assertThat(found(ASKED_FOR, java, ".java")).isEqualTo(kernels);
    }

    private static Set<String> found(Pattern pattern, Path folder, String suffix)
            throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(suffix)).toList();
        }
        Set<String> names = new TreeSet<>();
        for (Path file : files) {
            Matcher matcher = pattern.matcher(Files.readString(file));
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }
}
