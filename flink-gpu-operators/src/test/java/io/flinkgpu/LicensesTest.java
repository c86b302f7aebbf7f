package io.flinkgpu;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the jar says of its own license and of others'.
 *
 * <p>Covers: NOTICE, LICENSE.
 */
class LicensesTest {

    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "NOTICE"})
    void areInTheJar(String name) throws Exception {
        String module = System.getProperty("basedir");
        Assumptions.assumeTrue(module != null, "only Maven makes what is in the jar");
        Path classes =
                Path.of(
                        GpuStreams.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        assertThat(classes.resolve("META-INF").resolve(name))
                .hasSameTextualContentAs(Path.of(module, "..", name));
    }
}
