package io.flinkgpu.applications.kafka;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Manifests against a schema of what they use; with {@code -Dflink.crds=FOLDER} also against the operator's
 * own definitions.
 */
class KubernetesTest {

    private static final Path FOLDER = Path.of("../../docker/kubernetes");

    static List<Path> manifests() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    static List<Path> deployments() throws IOException {
        return manifests().stream().filter(file -> isDeployment(file)).toList();
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void fieldsAreInTheSchema(Path file) throws IOException {
        Map<?, ?> manifest = yaml(file);
        String kind = (String) manifest.get("kind");
        try (InputStream schemas =
                KubernetesTest.class.getResourceAsStream("/kubernetes/schema.yaml")) {
            Map<?, ?> all = (Map<?, ?>) load().loadFromInputStream(schemas);
            assertThat(all.get(kind)).as("schema of %s", kind).isNotNull();
            assertThat(new StructuralSchema(all.get(kind)).problems(manifest.get("spec")))
                    .isEmpty();
        }
        assertThat(manifest.get("apiVersion"))
                .isEqualTo(kind.startsWith("Flink") ? "flink.apache.org/v1beta1" : "v1");
        String crds = System.getProperty("flink.crds", "");
        if (!crds.isEmpty() && kind.startsWith("Flink")) {
            assertThat(crd(Path.of(crds), kind).problems(manifest.get("spec"))).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void configurationFitsTheOperators(Path file) throws IOException {
        Map<?, ?> spec = (Map<?, ?>) yaml(file).get("spec");
        Map<?, ?> configuration = (Map<?, ?>) spec.get("flinkConfiguration");
        Configuration conf = new Configuration();
        configuration.forEach((name, value) -> conf.setString((String) name, (String) value));
        conf.setString(
                TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(),
                (String) at(spec, "taskManager", "resource", "memory"));
        assertThat(conf.get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY).getBytes())
                .isGreaterThanOrEqualTo(
                        conf.get(TaskManagerOptions.NUM_TASK_SLOTS) * ClusterDocTest.slotBytes());
        assertThat(ClusterDocTest.taskHeap(conf).getMebiBytes()).isGreaterThan(1000);
        assertThat(configuration.get("classloader.parent-first-patterns.additional"))
                .isEqualTo("jcuda.;org.apache.arrow.;io.flinkgpu.");
        boolean gpu = file.getFileName().toString().contains("gpu");
        assertThat(configuration.containsKey("external-resource.gpu.amount")).isEqualTo(gpu);
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void jobsHaveOptionsThatExist(Path file) throws IOException {
        Map<?, ?> spec = (Map<?, ?>) yaml(file).get("spec");
        if (spec.containsKey("job")) {
            assertThat(at(spec, "job", "entryClass")).isEqualTo(KafkaRedaction.class.getName());
            String[] args =
                    ((List<?>) at(spec, "job", "args"))
                            .stream().map(Object::toString).toArray(String[]::new);
            assertThatCode(() -> KafkaOptions.parse(args)).doesNotThrowAnyException();
            assertThat(args).contains("--follow", "--bootstrap-servers");
        }
    }

    @Test
    void aFieldThatIsUnknownIsFound() {
        StructuralSchema schema =
                new StructuralSchema(
                        Map.of(
                                "type", "object",
                                "required", List.of("b"),
                                "properties", Map.of("a", Map.of("type", "integer"))));
        assertThat(schema.problems(Map.of("a", "1", "c", 2)))
                .containsExactlyInAnyOrder(
                        "spec.a is no integer: 1", "spec.c is unknown", "spec.b is missing");
    }

    private static boolean isDeployment(Path file) {
        try {
            return yaml(file).get("kind").equals("FlinkDeployment");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The definition of a kind as the operator ships it. */
    private static StructuralSchema crd(Path folder, String kind) throws IOException {
        String name = kind.toLowerCase(Locale.ROOT) + "s.flink.apache.org-v1.yml";
        Map<?, ?> version =
                (Map<?, ?>) ((List<?>) at(yaml(folder.resolve(name)), "spec", "versions")).get(0);
        return new StructuralSchema(at(version, "schema", "openAPIV3Schema", "properties", "spec"));
    }

    private static Object at(Object node, String... keys) {
        Object value = node;
        for (String key : keys) {
            assertThat(value).as("the node that holds '%s'", key).isInstanceOf(Map.class);
            value = ((Map<?, ?>) value).get(key);
        }
        return value;
    }

    private static Map<?, ?> yaml(Path file) throws IOException {
        return (Map<?, ?>) load().loadFromString(Files.readString(file));
    }

    private static Load load() {
        // The operator's definitions are large.
        return new Load(LoadSettings.builder().setCodePointLimit(10_000_000).build());
    }
}
